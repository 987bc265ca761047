/**
 * How a call ended for its client: with a result, with an error of the server, without an answer of the server, or not at
 * all since the client does not want it any more.
 */
export type CallEnding = 'result' | 'error' | 'failed' | 'cancelled';

/** Is told of every tool call that is sent to a server. */
export interface CallObserver {
  /** Tells whether anybody wants to know of calls. */
  readonly audience: { readonly isHeard: boolean };
  /**
   * A call was sent.
   *
   * @param tool as its server calls it
   * @returns is called once, when it has ended; undefined when nobody wants to know
   */
  began(server: string, tool: string): ((ending: CallEnding) => void) | undefined;
}
