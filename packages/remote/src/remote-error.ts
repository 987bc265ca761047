/** A failure of a server at a url: half a sentence for a reader, without secrets, and the next step. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';

  constructor(
    /** The event, such as `https://example.com/mcp answered 502 Bad Gateway`. */
    readonly problem: string,
    /** The next step, in a sentence. */
    readonly advice?: string,
    /** The status of the HTTP response, where there was one. */
    readonly status?: number,
    /** The code of the JSON-RPC error in that response. */
    readonly code?: number,
  ) {
    super(problem);
  }
}

/** The server has forgotten the session of a run: whatever it held is lost, and calls are not repeated. */
export class SessionLostError extends RemoteError {}
