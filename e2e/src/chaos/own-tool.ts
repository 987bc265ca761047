import { ACCEPT, type HttpCli } from '../testing/http-cli.js';
import { answersIn, isRefusal } from './answers.js';
import { MODERN } from './cluster-clients.js';

/** What a node has answered to a call of a tool of mcpmux itself. */
export interface OwnAnswer {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>> | undefined;
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
  const answer = answersIn(text).at(-1);
  if (answer === undefined) throw new Error(`no answer to ${name}: ${text}`);
  const { error, result } = answer;
  const said = result?.content?.map((one) => one.text ?? '').join('\n');
  return {
    isError: isRefusal(answer),
    text: error?.message ?? said ?? '',
    structured: result?.structuredContent,
  };
}
