import type { RpcMessage } from './json-rpc.js';

/** The text of a tool's response. */
export function textOf({ result }: RpcMessage): string {
  const blocks = (result?.['content'] ?? []) as readonly { readonly text?: string }[];
  return blocks.map(({ text }) => text ?? '').join('\n');
}

/** The text of a response that says that the tool has failed; throws when it has not. */
export function failureText(response: RpcMessage): string {
  if (response.result?.['isError'] !== true) throw new Error(`no failure: ${JSON.stringify(response)}`);
  return textOf(response);
}
