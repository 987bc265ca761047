import { largeResults, type LargeResultsOptions, type ResultHost } from '../guards/index.js';
import { createMux } from '../mux/mux.js';
import type { Mux } from '../mux/mux-api.js';
import { FakeSpawner } from './fake-server.js';
import type { MuxClient } from './mux-client.js';

export const MEGABYTE = 1024 * 1024;
/** The handle of a stored result, in the text of its beginning. */
export const HANDLE = /"handle": "([\da-f-]+)"/;
const OUTPUT_SCHEMA = { type: 'object', properties: { rows: { type: 'array' } }, required: ['rows'] };
const TOOLS = [
  { name: 'get', inputSchema: { type: 'object' } },
  { name: 'declared', inputSchema: { type: 'object' }, _meta: { 'test/most': 3000 } },
  { name: 'table', inputSchema: { type: 'object' }, outputSchema: OUTPUT_SCHEMA },
];

/** A mux with a server whose tools answer with `result`. */
export async function muxWith(
  result: () => object,
  options: LargeResultsOptions = { tokens: 500 },
  host?: ResultHost,
): Promise<Mux> {
  const spawner = new FakeSpawner(() => ({
    intercept: (request, proceed, server) => {
      if (request.method === 'tools/list') server.answer(request, { tools: TOOLS });
      else if (/^tools\/call|^tasks\/result/.test(request.method)) server.answer(request, result());
      else proceed();
    },
  }));
  const limits = { maxLineBytes: 64 * MEGABYTE, maxEndlessLineBytes: 128 * MEGABYTE };
  const mux = createMux({ limits }, { spawn: spawner.spawn });
  mux.use(largeResults(options, host));
  await mux.addServer('s', { command: process.execPath });
  return mux;
}

/** The members of a tool's result that tests read. */
export interface Result {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
}

/** Calls a tool and returns its result. */
export async function resultOf(client: MuxClient, name: string, args: object = {}): Promise<Result> {
  const { result, error } = await client.call(name, args);
  if (result === undefined) throw new Error(JSON.stringify(error));
  return result as unknown as Result;
}

/** The text of the first block. */
export function textOf({ content: [first] }: Result): string {
  return first?.text ?? '';
}
