/** Any JSON-RPC 2.0 message, as parsed from one line. */
export interface RpcMessage {
  readonly jsonrpc: '2.0';
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Parses one line of stdout; whatever is no JSON-RPC message has no place there. */
export function parseMessage(line: string): RpcMessage {
  const message: RpcMessage = JSON.parse(line);
  if (message.jsonrpc !== '2.0') throw new Error(`no JSON-RPC message on stdout: ${line.slice(0, 200)}`);
  return message;
}
