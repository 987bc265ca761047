import type { FrontRig, OpenAnswer } from './front-rig.js';

/** The revision without sessions that tests speak. */
export const MODERN = '2026-07-28';

/** What a test may say about a request of a revision without sessions. */
export interface ModernInit {
  readonly id?: number | string;
  /** What the client declares. */
  readonly capabilities?: object;
  /** Headers instead of the right ones, or beside them; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** Further members of `_meta`, or other ones. */
  readonly meta?: object;
}

/** The `_meta` in which a request describes its client. */
export function described(capabilities: object = {}, more: object = {}): object {
  return {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...more,
  };
}

/** A request of a revision without sessions, as a body. */
export function modernBody(method: string, params: object = {}, init: ModernInit = {}): object {
  const { id = 1, capabilities, meta } = init;
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: described(capabilities, meta) } };
}

/** The headers that belong to such a body. */
export function modernHeaders(
  method: string,
  params: { readonly name?: string; readonly uri?: string } = {},
  headers: ModernInit['headers'] = {},
): Record<string, string> {
  const name = params.name ?? params.uri;
  const right = {
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  };
  const all = Object.entries({ ...right, ...headers }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(all) as Record<string, string>;
}

/** Sends a request of a revision without sessions. Resolves with what has begun to come back. */
export function sendModern(
  rig: FrontRig,
  method: string,
  params: object = {},
  init: ModernInit = {},
): Promise<OpenAnswer> {
  return rig.send('POST', modernHeaders(method, params, init.headers), modernBody(method, params, init));
}

/** The same, and resolves with all that has come back. */
export async function askModern(
  rig: FrontRig,
  method: string,
  params: object = {},
  init: ModernInit = {},
): Promise<OpenAnswer> {
  const answer = await sendModern(rig, method, params, init);
  await answer.ended;
  return answer;
}
