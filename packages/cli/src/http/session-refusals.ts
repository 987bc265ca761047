import type { Refusal } from './refusal.js';

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

/** Something new while mcpmux ends. */
export const ENDING: Refusal = {
  status: 503,
  message: 'mcpmux is ending.',
  headers: { 'retry-after': '1', connection: 'close' },
};
