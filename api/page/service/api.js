/**
 * The service, as functions that answer with JSON (or a picture) or throw an `ApiError`.
 *
 * A lost connection is no error: the call waits until the service is back and is sent again, with
 * the same Idempotency-Key, so that what was entered is neither lost nor done twice.
 */

import { connectionLost, connectionSeen, untilConnected } from "./connection.js";
import { ENDPOINTS, SOCKETS } from "./endpoints.js";

const TIMEOUT_MS = 30_000;
const UPLOAD_TIMEOUT_MS = 120_000; // photos on a slow network, read on a busy machine

/** What the service refused: a stable code, its words, the HTTP status, and all that is wrong. */
export class ApiError extends Error {
  constructor(code, detail, status, errors) {
    super(detail);
    this.code = code;
    this.status = status;
    this.errors = errors;
  }
}

/**
 * The answer to one of `ENDPOINTS`, and the version of the table that it led to: {answer, version}.
 *
 * `path` fills the {places} of its address; the body is `json` or `form`; `token` goes into the
 * header, never into the address. `signal` gives the call up.
 */
export async function callAtTable(name, { path = {}, json, form, token, signal } = {}) {
  const [method] = ENDPOINTS[name].split(" ");
  const address = endpointAddress(name, path);
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (json !== undefined) headers["Content-Type"] = "application/json";
  if (method !== "GET") headers["Idempotency-Key"] = newKey();
  const body = json === undefined ? form : JSON.stringify(json);
  const patience = form ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS;
  const response = await sent(address, { method, headers, body }, signal, patience);
  return { answer: await answer(response), version: versionOf(response) };
}

/** The answer to one of `ENDPOINTS`. */
export const call = async (name, asked) => (await callAtTable(name, asked)).answer;

/** The address of one of `ENDPOINTS`, its {places} filled in. */
export function endpointAddress(name, path = {}) {
  const [, pattern] = ENDPOINTS[name].split(" ");
  return pattern.replace(/\{(\w+)\}/g, (_, part) => encodeURIComponent(path[part]));
}

/** What lies at an address that the service told, such as a photo it keeps. */
export async function authorized(address, token) {
  return answer(await sent(address, { headers: { Authorization: `Bearer ${token}` } }));
}

/** Photos as the multipart body that the service takes. */
export function photoForm(blobs, fields = {}) {
  const form = new FormData();
  blobs.forEach((blob, i) => form.append("photos", blob, blob.name ?? `photo-${i + 1}.jpg`));
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

/** A WebSocket to one of `SOCKETS`. */
export function socket(name, path = {}) {
  const address = SOCKETS[name].replace(/\{(\w+)\}/g, (_, part) => encodeURIComponent(path[part]));
  return new WebSocket(new URL(address, location.href.replace(/^http/, "ws")));
}

async function sent(address, request, signal, patience = TIMEOUT_MS) {
  for (;;) {
    try {
      const limit = AbortSignal.timeout(patience);
      const response = await fetch(address, { ...request, signal: either(signal, limit) });
      connectionSeen();
      return response;
    } catch (error) {
      if (signal?.aborted) throw error;
      connectionLost();
      await untilConnected(signal);
    }
  }
}

async function answer(response) {
  const isJson = /\bjson\b/.test(response.headers.get("Content-Type") ?? "");
  const content = isJson ? await response.json() : await response.blob();
  if (response.ok) return content;
  throw new ApiError(
    content?.code ?? "failed",
    content?.detail ?? response.statusText,
    response.status,
    content?.errors ?? [],
  );
}

/** The number in an answer's ETag; null without one. */
function versionOf(response) {
  const [, number] = /^(?:W\/)?"(\d+)"$/.exec(response.headers.get("ETag") ?? "") ?? [];
  return number === undefined ? null : Number(number);
}

const either = (signal, limit) => (signal ? AbortSignal.any([signal, limit]) : limit);

/** A fresh key; `crypto.randomUUID` is missing on pages without https. */
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
