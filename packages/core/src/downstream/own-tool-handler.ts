import type { RpcError } from '../wire/json-rpc.js';

/** What a call of one of mcpmux's own tools may use of its session. */
export interface OwnToolContext {
  /** Aborted when the client cancels the call or goes away. */
  readonly signal: AbortSignal;
  /** Tells the caller what is going on, if it asked for progress. */
  readonly progress: (message: string) => void;
}

/** The outcome of such a call: the `result` of `tools/call` as JSON text, or a protocol error. */
export type OwnToolAnswer =
  { readonly kind: 'result'; readonly json: string } | { readonly kind: 'error'; readonly error: RpcError };

/** Executes mcpmux's own tools. Sessions know no more of them than this. */
export interface OwnToolHandler {
  has(name: string): boolean;
  /** @param args the `arguments` of the call, as sent */
  call(name: string, args: unknown, context: OwnToolContext): Promise<OwnToolAnswer>;
}
