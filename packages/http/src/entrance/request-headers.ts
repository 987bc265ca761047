import type { IncomingMessage } from 'node:http';

import { INSTANCE_HEADER } from '@mcpmux/core';

/** The headers that the front reads. */
const READ = [
  'host',
  'origin',
  'authorization',
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'last-event-id',
  'accept',
  'content-type',
  'content-encoding',
  'content-length',
  INSTANCE_HEADER,
] as const;
type HeaderName = (typeof READ)[number];

/** Headers that must occur once, because implementations disagree on which of two values counts. */
const SINGLE: ReadonlySet<HeaderName> = new Set([
  'host',
  'origin',
  'authorization',
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'last-event-id',
]);
const PLACES: ReadonlyMap<string, number> = new Map(READ.map((name, place) => [name, place]));

/** The headers of one request, read in one pass. Node.js would build an object of all headers twice. */
export class RequestHeaders {
  /** The first header that occurs twice although it must not. */
  readonly twice: HeaderName | undefined;
  private readonly values = Array<string | undefined>(READ.length).fill(undefined);

  /** @param raw names and values alternately, as the client sent them */
  constructor(raw: readonly string[]) {
    for (let at = 0; at < raw.length; at += 2) {
      const name = raw[at] ?? '';
      const place = PLACES.get(name) ?? PLACES.get(name.toLowerCase());
      if (place === undefined) continue;
      const before = this.values[place];
      const value = raw[at + 1] ?? '';
      const read = READ[place];
      if (before !== undefined && read !== undefined && SINGLE.has(read)) this.twice ??= read;
      this.values[place] = before === undefined ? value : `${before}, ${value}`;
    }
  }

  /** Returns the value of a header. If the header occurs several times, the values are joined with commas. */
  get(name: HeaderName): string | undefined {
    return this.values[PLACES.get(name) ?? -1];
  }
}

const MCP_URL = new URL('http://mcpmux/mcp');

/** Returns the target URL of a request, or undefined for request targets that only proxies receive. */
export function requestTarget({ url = '' }: IncomingMessage): URL | undefined {
  if (url === MCP_URL.pathname) return MCP_URL;
  if (!url.startsWith('/') || url.startsWith('//')) return undefined;
  return URL.canParse(url, 'http://mcpmux') ? new URL(url, 'http://mcpmux') : undefined;
}
