import type { IncomingMessage } from 'node:http';

import { INSTANCE_HEADER } from '@mcpmux/core';
import type { Refusal } from './refusal.js';

/** Headers that must not be repeated, because implementations disagree on which value to use. */
const SINGLE_HEADER_NAMES = [
  'host',
  'origin',
  'authorization',
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'last-event-id',
] as const;
/** The headers that an HTTP front reads. */
const HEADER_NAMES = [
  ...SINGLE_HEADER_NAMES,
  'accept',
  'content-type',
  'content-encoding',
  'content-length',
  INSTANCE_HEADER,
] as const;
type HeaderName = (typeof HEADER_NAMES)[number];
const SINGLE_HEADERS: ReadonlySet<HeaderName> = new Set(SINGLE_HEADER_NAMES);
const HEADER_INDEXES: ReadonlyMap<string, number> = new Map(HEADER_NAMES.map((name, index) => [name, index]));

/** One request's headers, read in a single pass. Node.js's `headers` getter would build an object of all headers. */
export class RequestHeaders {
  /** The first header that is repeated but must not be. */
  readonly repeatedHeader: HeaderName | undefined;
  private readonly values = Array<string | undefined>(HEADER_NAMES.length).fill(undefined);

  /** @param raw names and values, alternating, as sent by the client */
  constructor(raw: readonly string[]) {
    for (let at = 0; at < raw.length; at += 2) {
      const name = raw[at] ?? '';
      const index = HEADER_INDEXES.get(name) ?? HEADER_INDEXES.get(name.toLowerCase());
      if (index === undefined) continue;
      const previousValue = this.values[index];
      const value = raw[at + 1] ?? '';
      const headerName = HEADER_NAMES[index];
      if (previousValue !== undefined && headerName !== undefined && SINGLE_HEADERS.has(headerName))
        this.repeatedHeader ??= headerName;
      this.values[index] = previousValue === undefined ? value : `${previousValue}, ${value}`;
    }
  }

  /** Returns a header's value. If the header occurs several times, its values are joined with commas. */
  get(name: HeaderName): string | undefined {
    return this.values[HEADER_INDEXES.get(name) ?? -1];
  }
}

const MCP_URL = new URL('http://mcpmux/mcp');

/** Returns a request's URL, or undefined for the forms of request target that only proxies receive. */
export function requestTarget({ url = '' }: IncomingMessage): URL | undefined {
  if (url === MCP_URL.pathname) return MCP_URL;
  if (!url.startsWith('/') || url.startsWith('//')) return undefined;
  return URL.canParse(url, 'http://mcpmux') ? new URL(url, 'http://mcpmux') : undefined;
}

const JSON_TYPE = 'application/json';
const EVENTS_TYPE = 'text/event-stream';
const ANY_TYPE = '*/*';

const NEEDS_BOTH_TYPES: Refusal = {
  status: 406,
  message: 'Not Acceptable: Client must accept both application/json and text/event-stream.',
};
const NEEDS_EVENTS: Refusal = {
  status: 406,
  message: 'Not Acceptable: Client must accept text/event-stream.',
};
const NEEDS_JSON: Refusal = { status: 406, message: 'Not Acceptable: Client must accept application/json.' };
const NOT_JSON: Refusal = {
  status: 415,
  message: 'Unsupported Media Type: Content-Type must be application/json.',
};

/** Returns the error response to a POST whose `Content-Type` or `Accept` header is not supported, or undefined. */
export function postTypesRefusal(headers: RequestHeaders): Refusal | undefined {
  const accept = headers.get('accept') ?? '';
  if (!accept.includes(JSON_TYPE) || !accept.includes(EVENTS_TYPE)) return NEEDS_BOTH_TYPES;
  return isJsonType(headers.get('content-type') ?? '') ? undefined : NOT_JSON;
}

/**
 * Like {@link postTypesRefusal}, for revisions without sessions. In these, `Accept` may omit events, and the client
 * then receives only the response.
 */
export function modernTypesRefusal(headers: RequestHeaders): Refusal | undefined {
  const accept = headers.get('accept') ?? ANY_TYPE;
  if (!accept.includes(JSON_TYPE) && !accept.includes(ANY_TYPE)) return NEEDS_JSON;
  return isJsonType(headers.get('content-type') ?? '') ? undefined : NOT_JSON;
}

/** True if a client accepts events. */
export function acceptsEvents(headers: RequestHeaders): boolean {
  const accept = headers.get('accept') ?? ANY_TYPE;
  return accept.includes(EVENTS_TYPE) || accept.includes(ANY_TYPE);
}

/** Returns the error response to a GET that does not accept events, or undefined. */
export function streamTypesRefusal(headers: RequestHeaders): Refusal | undefined {
  return headers.get('accept')?.includes(EVENTS_TYPE) === true ? undefined : NEEDS_EVENTS;
}

/** True if a `Content-Type` denotes JSON, with or without parameters. */
export function isJsonType(contentType: string): boolean {
  if (contentType === JSON_TYPE) return true;
  const [type = '', ...parameters] = contentType.split(';');
  // A comma separates repeated values, of which it is unclear which one applies.
  return type.trim().toLowerCase() === JSON_TYPE && !parameters.join('').includes(',');
}

/** The supported values of `MCP-Protocol-Version` in a session, newest first. */
const SESSION_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;
const KNOWN_REVISIONS: ReadonlySet<string> = new Set(SESSION_REVISIONS);
/** The first revision whose clients accept events without data. */
const EMPTY_EVENTS_REVISION = '2025-11-25';

/** Returns the error response to a session's request whose header names an unknown revision, or undefined. */
export function versionRefusal(version: string | undefined): Refusal | undefined {
  if (version === undefined || KNOWN_REVISIONS.has(version)) return undefined;
  const message = `Unsupported protocol version (supported versions: ${SESSION_REVISIONS.join(', ')}).`;
  return { status: 400, message };
}

/** True if clients of this revision accept events without data, whose ids let them resume a stream without messages. */
export function acceptsEmptyEvents(version: string | undefined): boolean {
  return version !== undefined && version >= EMPTY_EVENTS_REVISION;
}
