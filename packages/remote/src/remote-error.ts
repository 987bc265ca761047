/** Describes the failure of a server at a URL, and advises on the next step. Contains no secrets. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';

  constructor(
    /** The problem as a clause, such as `https://example.com/mcp answered 502 Bad Gateway`. */
    readonly problem: string,
    /** The next step as a sentence. */
    readonly advice?: string,
    /** The status of the HTTP response, if there was one. */
    readonly status?: number,
    /** The code of the JSON-RPC error in the response. */
    readonly code?: number,
  ) {
    super(problem);
  }
}

/** Thrown if an authorization server has named a URL at a forbidden address. Nothing was sent. */
export class AddressRefusedError extends RemoteError {}

/** Thrown if the server no longer has a run's session. The session state is lost, and calls are not repeated. */
export class SessionLostError extends RemoteError {}
