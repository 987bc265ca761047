import type { Refusal } from '../entrance/refusal.js';

/** The caller does not have a session with this id. */
export const UNKNOWN_SESSION: Refusal = {
  status: 404,
  message: 'The session has ended, or never existed. Send initialize without Mcp-Session-Id.',
  code: -32_001,
};

/** The session belongs to another node, which currently cannot be reached. */
export const SESSION_UNREACHABLE: Refusal = {
  status: 503,
  message: 'The node with this session cannot be reached now. Try again in a moment with the same session.',
  headers: { 'retry-after': '1' },
};

/** The maximum number of sessions has been reached. */
export const TOO_MANY_SESSIONS: Refusal = {
  status: 503,
  message: 'All sessions are in use. Try again later, or end a session with DELETE.',
  headers: { 'retry-after': '10' },
};

/** Corresponds to {@link UNKNOWN_SESSION} for the 2024-11-05 transport, in which a session ends with its stream. */
export const UNKNOWN_SSE_SESSION: Refusal = {
  ...UNKNOWN_SESSION,
  message: 'The session has ended with its stream, or never existed. Open a new stream at /sse.',
};

/** Corresponds to {@link TOO_MANY_SESSIONS} for the 2024-11-05 transport. */
export const TOO_MANY_SSE_SESSIONS: Refusal = {
  ...TOO_MANY_SESSIONS,
  message: 'All sessions are in use. Try again later, or close a stream.',
};

/** The maximum number of requests without a session has been reached. */
export const TOO_MANY_REQUESTS: Refusal = {
  status: 503,
  message: 'Too many requests of this principal are in flight. Try again when some are answered.',
  headers: { 'retry-after': '1' },
};

/** A new request has arrived while mcpmux is shutting down. */
export const SHUTTING_DOWN: Refusal = {
  status: 503,
  message: 'mcpmux is shutting down. Try again later.',
  headers: { 'retry-after': '1', connection: 'close' },
};

/** Another request in flight has the same id. */
export const DUPLICATE_REQUEST_ID: Refusal = {
  status: 400,
  message: 'A request with this id is in flight in this session, or twice in this batch.',
  code: -32_600,
};

/** The client asks to resume after an event that its session has never sent. */
export const UNKNOWN_EVENT: Refusal = {
  status: 400,
  message: 'This session has no event with this Last-Event-ID. Open the stream without it.',
};

/** The session is already open. */
export const SESSION_ALREADY_OPEN: Refusal = {
  status: 400,
  message: 'This session is open already. Send initialize without Mcp-Session-Id, and alone.',
  code: -32_600,
};

/** The `initialize` params are not sufficient to open a session. */
export const INCOMPLETE_INITIALIZE: Refusal = {
  status: 400,
  message: 'initialize needs protocolVersion, capabilities, and clientInfo with name and version.',
};

/** The client has left too much of its stream unread, so mcpmux accepts no further messages from it. */
export const TOO_MUCH_UNREAD: Refusal = {
  status: 503,
  message: 'Too much of the stream of this session is unread. Read it, then try again.',
  headers: { 'retry-after': '1' },
};
