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

/** Returns the refusal of a POST because of the types that it sends or accepts. */
export function postTypesRefusal(headers: RequestHeaders): Refusal | undefined {
  const accept = headers.get('accept') ?? '';
  if (!accept.includes(JSON_TYPE) || !accept.includes(EVENTS_TYPE)) return NOT_BOTH;
  return isJson(headers.get('content-type') ?? '') ? undefined : NO_JSON;
}

/**
 * Returns the refusal of a POST in a revision without sessions. A client that reads no events gets only the response.
 */
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

/** Returns the refusal of a GET because of the types that it accepts. */
export function streamTypesRefusal(headers: RequestHeaders): Refusal | undefined {
  return headers.get('accept')?.includes(EVENTS_TYPE) === true ? undefined : NO_EVENTS;
}

/** True if a `Content-Type` is JSON, with any parameters. */
export function isJson(contentType: string): boolean {
  if (contentType === JSON_TYPE) return true;
  const [type = '', ...parameters] = contentType.split(';');
  // Two values are separated by a comma. mcpmux cannot know which of them counts.
  return type.trim().toLowerCase() === JSON_TYPE && !parameters.join('').includes(',');
}
