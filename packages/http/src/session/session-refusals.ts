import type { Refusal } from '../entrance/refusal.js';

/** What is no session of the caller. */
export const NO_SESSION: Refusal = {
  status: 404,
  message: 'There is no such session; it has ended or never was. Send initialize without Mcp-Session-Id.',
  code: -32_001,
};

/** One session more than there may be. */
export const FULL: Refusal = {
  status: 503,
  message: 'All sessions are taken. Try again later, or end a session with DELETE.',
  headers: { 'retry-after': '10' },
};

/** What is no session of a client of the transport of 2024-11-05, where a session is its stream. */
export const NO_STREAM: Refusal = {
  ...NO_SESSION,
  message: 'There is no such session; it has ended with its stream or never was. Open a new stream at /sse.',
};

/** One stream of the transport of 2024-11-05 more than there may be. */
export const FULL_OF_STREAMS: Refusal = {
  ...FULL,
  message: 'All sessions are taken. Try again later, or close a stream that is open.',
};

/** Something new while mcpmux ends. */
export const ENDING: Refusal = {
  status: 503,
  message: 'mcpmux is ending.',
  headers: { 'retry-after': '1', connection: 'close' },
};
