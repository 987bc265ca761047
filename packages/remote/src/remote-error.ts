/** The failure of a server at a URL, as half a sentence without secrets, and the next step. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';

  constructor(
    /** The problem, such as `https://example.com/mcp answered 502 Bad Gateway`. */
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

/** A URL that an authorization server has named is at an address that the rules do not allow. Nothing was sent. */
export class AddressRefusedError extends RemoteError {}

/** The server no longer knows the session of a run. The state of the session is lost, and calls are not repeated. */
export class SessionLostError extends RemoteError {}
