/** Thrown if a remote server fails. Describes the failure and advises on the next step, without containing secrets. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';

  constructor(
    /** The problem, as a clause such as `https://example.com/mcp answered 502 Bad Gateway`. */
    readonly problem: string,
    /** The next step, as a sentence. */
    readonly advice?: string,
    /** The HTTP response's status, if there was a response. */
    readonly status?: number,
    /** The code of the response's JSON-RPC error, if any. */
    readonly code?: number,
  ) {
    super(problem);
  }
}

/** Thrown if an authorization server has named a URL at a forbidden address. No request was sent to that address. */
export class AddressRefusedError extends RemoteError {}

/** Thrown if the server no longer has the session. Its state is lost, and calls are not repeated. */
export class SessionLostError extends RemoteError {}
