import type { IncomingMessage } from 'node:http';

const MCP_URL = new URL('http://mcpmux/mcp');

/** Returns the target URL of a request, or undefined for request targets that only proxies receive. */
export function requestTarget({ url = '' }: IncomingMessage): URL | undefined {
  if (url === MCP_URL.pathname) return MCP_URL;
  if (!url.startsWith('/') || url.startsWith('//')) return undefined;
  return URL.canParse(url, 'http://mcpmux') ? new URL(url, 'http://mcpmux') : undefined;
}
