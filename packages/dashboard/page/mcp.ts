import { lines, type Json } from './connection.js';
import { layerQuery } from './layers.js';

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'mcpmux-page', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} }, sampling: {} },
};

/** A question of a server, put to the user of the page. */
export interface Question {
  readonly method: string;
  readonly params: Json;
}

/** How the user answers the questions of one call, by their keys. */
export type Ask = (questions: Readonly<Record<string, Question>>) => Promise<Json>;

/** The error of a response. */
export class McpError extends Error {}

let lastId = 0;

/** A method, and the layer whose servers the request is for. */
export interface Target {
  readonly method: string;
  readonly layer?: string | undefined;
}

/** All entries of a list, from all pages. */
export async function list(target: Target, key: string): Promise<readonly Json[]> {
  const entries: Json[] = [];
  let cursor: unknown;
  do {
    const page = await send(target, cursor === undefined ? {} : { cursor });
    entries.push(...((page[key] as readonly Json[] | undefined) ?? []));
    cursor = page['nextCursor'];
  } while (cursor !== undefined);
  return entries;
}

/** Sends a request. Questions of its server go to `ask`, and the request goes on with the answers. */
export async function converse(
  target: Target,
  params: Json,
  ask: Ask,
  onProgress: (params: Json) => void,
): Promise<Json> {
  let answers: Json = {};
  for (;;) {
    const meta = { ...ENVELOPE, progressToken: String(lastId + 1) };
    const result = await send(target, { ...params, ...answers, _meta: meta }, onProgress);
    if (result['resultType'] !== 'input_required') return result;
    const { inputRequests = {}, requestState } = result;
    const inputResponses = await ask(inputRequests as Readonly<Record<string, Question>>);
    answers = { inputResponses, ...(requestState !== undefined && { requestState }) };
  }
}

/** Sends one request. @throws McpError with the message of an error response */
export async function send(
  { method, layer }: Target,
  params: Json,
  onProgress?: (params: Json) => void,
): Promise<Json> {
  lastId += 1;
  const id = lastId;
  for await (const line of lines(`mcp?${layerQuery(layer)}`, { jsonrpc: '2.0', id, method, params })) {
    if (line['method'] === 'notifications/progress') onProgress?.(line['params'] as Json);
    if (line['id'] !== id) continue;
    const { error } = line;
    if (error !== undefined) throw new McpError(String((error as Json)['message']));
    return line['result'] as Json;
  }
  throw new McpError('mcpmux has ended before it answered.');
}
