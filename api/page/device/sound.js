/** Sounds that call to the table, made on the spot: nothing to load, loud enough for a full room. */

import { state } from "../shell/store.js";

let context = null;

/** Browsers let a page sound only after a tap: the first one opens its mouth. */
export function allowSound() {
  addEventListener("pointerdown", wake, { once: true });
  addEventListener("keydown", wake, { once: true });
}

function wake() {
  context ??= new AudioContext();
  void context.resume();
}

/** Two rising notes: ten seconds left. */
export const soundWarning = () => play([[0, 660], [0.16, 880]], 0.14);

/** A short tick, for each of the last seconds. */
export const soundTick = () => play([[0, 1040]], 0.06);

/** A falling chime: it is over. */
export const soundEnd = () => play([[0, 880], [0.22, 660], [0.44, 440]], 0.5);

/** A buzz in the hand; browsers want a tap before they let a page do that. */
export function buzz(pattern) {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}

function play(notes, length) {
  if (!state.settings.sound || context?.state !== "running") return;
  for (const [after, pitch] of notes) note(context.currentTime + after, pitch, length);
}

function note(at, pitch, length) {
  const tone = new OscillatorNode(context, { type: "triangle", frequency: pitch });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(0.6, at + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.001, at + length);
  tone.connect(volume).connect(context.destination);
  tone.start(at);
  tone.stop(at + length);
}
