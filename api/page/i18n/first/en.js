/** English, the first view. Keys are the same in all languages; a test holds them together and in use. */

export default {
  "shell.skip": "Skip to the content",
  "shell.home": "Trayscore, home",
  "shell.menu": "Menu",
  "shell.otherLanguage": "Deutsch",
  "shell.settings": "Settings",
  "shell.close": "Close",
  "shell.offline": "No connection. What you entered is kept; it goes on as soon as the service is back.",

  "home.title": "Who scored what?",
  "home.lead": "Take a photo. See every card’s verdict, and why.",
  "home.ways": "What to do",
  "home.photo": "Score one photo",
  "home.photo.what": "No set-up, no table",
  "home.table": "Start a table",
  "home.table.what": "A whole game for 1 to 4 players",
  "home.join": "Join a table",
  "home.join.what": "With the code on the other screen",
  "home.samples": "Nothing at hand? Tap a sample",
  "home.recent": "Your tables",
  "home.games": "All games and bests",
  "home.rounds.one": "{n} round",
  "home.rounds.other": "{n} rounds",
};
