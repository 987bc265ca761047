import { ACCEPT, type HttpCli } from '../testing/http-cli.js';
import { MODERN } from './cluster-clients.js';

/** What a node has answered to a call of a tool of mcpmux itself. */
export interface OwnAnswer {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: unknown;
}

/**
 * Calls a tool of mcpmux itself on one node, without a session.
 *
 * @throws Error without an answer to the call
 */
export async function callOwnTool(node: HttpCli, name: string, args: object): Promise<OwnAnswer> {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args, _meta: MODERN },
  };
  const headers = {
    ...ACCEPT,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
  };
  const { text } = await node.send({ method: 'POST', headers, body });
  const line = text.startsWith('{')
    ? text
    : (text
        .match(/^data: (\{.*)$/gm)
        ?.at(-1)
        ?.slice(6) ?? '{}');
  const answer = JSON.parse(line) as Answer;
  if (answer.error !== undefined) return { isError: true, text: answer.error.message, structured: undefined };
  if (answer.result === undefined) throw new Error(`no answer to ${name}: ${text}`);
  const { isError = false, content = [], structuredContent } = answer.result;
  return { isError, text: content.map((one) => one.text ?? '').join('\n'), structured: structuredContent };
}

interface Answer {
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: readonly { readonly text?: string }[];
    readonly structuredContent?: unknown;
  };
}
