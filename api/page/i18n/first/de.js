/** Deutsch, die erste Ansicht. Keys are the same in all languages; a test holds them together and in use. */

export default {
  "shell.skip": "Zum Inhalt springen",
  "shell.home": "Trayscore, Startseite",
  "shell.menu": "Menü",
  "shell.otherLanguage": "English",
  "shell.settings": "Einstellungen",
  "shell.close": "Schließen",
  "shell.offline": "Keine Verbindung. Eingegebenes bleibt erhalten; es geht weiter, sobald der Dienst wieder da ist.",

  "home.title": "Wer hat wie viel?",
  "home.lead": "Mach ein Foto. Sieh zu jeder Karte das Urteil, und warum.",
  "home.ways": "Was tun?",
  "home.photo": "Ein Foto werten",
  "home.photo.what": "Ohne Vorbereitung, ohne Tisch",
  "home.table": "Tisch eröffnen",
  "home.table.what": "Ein ganzes Spiel für 1 bis 4",
  "home.join": "Mitspielen",
  "home.join.what": "Mit dem Code auf dem anderen Gerät",
  "home.samples": "Nichts zur Hand? Tippe auf ein Beispiel",
  "home.recent": "Deine Tische",
  "home.games": "Alle Spiele und Bestleistungen",
  "home.rounds.one": "{n} Runde",
  "home.rounds.other": "{n} Runden",
};
