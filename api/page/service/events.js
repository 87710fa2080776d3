/**
 * Server-sent events over fetch: unlike EventSource it can carry a token outside the address.
 *
 * A broken stream is taken up again where it broke off, soon at first, then less and less often.
 */

import { connectionLost, connectionSeen } from "./connection.js";

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 5_000;
const SILENCE_MS = 25_000; // the service says something every ten seconds

/**
 * Follow the events at an address.
 *
 * `onEvent(data, name)` is called for each event, `onRefused(status)` once if the service wants us no more. The answer stops it.
 */
export function followEvents(address, token, { onEvent, onRefused }) {
  const stopped = new AbortController();
  void followAll(address, token, stopped.signal, { onEvent, onRefused });
  return () => stopped.abort();
}

async function followAll(address, token, signal, { onEvent, onRefused }) {
  let last = null;
  let wait = FIRST_WAIT_MS;
  while (!signal.aborted) {
    try {
      const stream = await opened(address, token, last, signal);
      if (stream.refused) return void (signal.aborted || onRefused(stream.refused));
      connectionSeen();
      wait = FIRST_WAIT_MS;
      for await (const event of stream.events) {
        if (event.id) last = event.id;
        if (event.data) onEvent(JSON.parse(event.data), event.name);
      }
    } catch {
      if (signal.aborted) return;
      connectionLost();
    }
    await pause(wait, signal);
    wait = Math.min(2 * wait, LONGEST_WAIT_MS);
  }
}

async function opened(address, token, last, signal) {
  const headers = { Accept: "text/event-stream", Authorization: `Bearer ${token}` };
  if (last !== null) headers["Last-Event-ID"] = last;
  const silence = new AbortController();
  const either = AbortSignal.any([signal, silence.signal]);
  const response = await fetch(address, { headers, signal: either, cache: "no-store" });
  if (response.status >= 400 && response.status < 500 && response.status !== 429) {
    return { refused: response.status };
  }
  if (!response.ok) throw new Error(`no events: ${response.status}`);
  return { events: parsedEvents(heard(response.body, silence)) };
}

/** The pieces of a stream; one that stays silent for too long is broken off. */
async function* heard(body, silence) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const timer = setTimeout(() => silence.abort(), SILENCE_MS);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    yield value;
  }
}

/** Events {id, name, data} out of pieces of text, as the standard says they are written. */
export async function* parsedEvents(pieces) {
  let rest = "";
  for await (const piece of pieces) {
    const blocks = (rest + piece).replaceAll("\r\n", "\n").split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) yield parsedEvent(block);
  }
}

function parsedEvent(block) {
  const event = { id: "", name: "", data: "" };
  for (const line of block.split("\n")) {
    const [, field, value] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    if (field === "id") event.id = value;
    if (field === "event") event.name = value;
    if (field === "data") event.data += event.data ? `\n${value}` : value;
  }
  return event;
}

function pause(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms * (0.75 + Math.random() / 2)); // not all at once
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
