import type { Refusal } from '../entrance/refusal.js';

/** The caller has no session with this id. */
export const NO_SESSION: Refusal = {
  status: 404,
  message: 'The session has ended, or never existed. Send initialize without Mcp-Session-Id.',
  code: -32_001,
};

/** The limit of sessions is reached. */
export const FULL: Refusal = {
  status: 503,
  message: 'All sessions are in use. Try again later, or end a session with DELETE.',
  headers: { 'retry-after': '10' },
};

/** The same for the transport of 2024-11-05, where a session ends with its stream. */
export const NO_STREAM: Refusal = {
  ...NO_SESSION,
  message: 'The session has ended with its stream, or never existed. Open a new stream at /sse.',
};

/** The limit of sessions is reached, for a client of the transport of 2024-11-05. */
export const FULL_OF_STREAMS: Refusal = {
  ...FULL,
  message: 'All sessions are in use. Try again later, or close a stream.',
};

/** A new request while mcpmux shuts down. */
export const ENDING: Refusal = {
  status: 503,
  message: 'mcpmux is shutting down. Try again later.',
  headers: { 'retry-after': '1', connection: 'close' },
};
