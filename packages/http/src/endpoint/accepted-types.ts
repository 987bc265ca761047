import type { Refusal } from '../entrance/refusal.js';
import type { RequestHeaders } from '../entrance/request-headers.js';

const JSON_TYPE = 'application/json';
const EVENTS_TYPE = 'text/event-stream';
const ANY_TYPE = '*/*';

const NOT_BOTH: Refusal = {
  status: 406,
  message: 'Not Acceptable: Client must accept both application/json and text/event-stream.',
};
const NO_EVENTS: Refusal = {
  status: 406,
  message: 'Not Acceptable: Client must accept text/event-stream.',
};
const NEITHER: Refusal = { status: 406, message: 'Not Acceptable: Client must accept application/json.' };
const NO_JSON: Refusal = {
  status: 415,
  message: 'Unsupported Media Type: Content-Type must be application/json.',
};

/** The refusal of a POST by the types that it sends and accepts. */
export function postTypesRefusal(headers: RequestHeaders): Refusal | undefined {
  const accept = headers.get('accept') ?? '';
  if (!accept.includes(JSON_TYPE) || !accept.includes(EVENTS_TYPE)) return NOT_BOTH;
  return isJson(headers.get('content-type') ?? '') ? undefined : NO_JSON;
}

/** The refusal of a POST of a revision without sessions: a client that reads no events gets the answer alone. */
export function modernTypesRefusal(headers: RequestHeaders): Refusal | undefined {
  const accept = headers.get('accept') ?? ANY_TYPE;
  if (!accept.includes(JSON_TYPE) && !accept.includes(ANY_TYPE)) return NEITHER;
  return isJson(headers.get('content-type') ?? '') ? undefined : NO_JSON;
}

/** True if a client accepts events. */
export function takesEvents(headers: RequestHeaders): boolean {
  const accept = headers.get('accept') ?? ANY_TYPE;
  return accept.includes(EVENTS_TYPE) || accept.includes(ANY_TYPE);
}

/** The refusal of a GET by the types that it accepts. */
export function streamTypesRefusal(headers: RequestHeaders): Refusal | undefined {
  return headers.get('accept')?.includes(EVENTS_TYPE) === true ? undefined : NO_EVENTS;
}

/** True if a `Content-Type` is JSON, with any parameters. */
export function isJson(contentType: string): boolean {
  if (contentType === JSON_TYPE) return true;
  const [type = '', ...parameters] = contentType.split(';');
  // Two values with a comma between: which one counts is not for mcpmux to say.
  return type.trim().toLowerCase() === JSON_TYPE && !parameters.join('').includes(',');
}
