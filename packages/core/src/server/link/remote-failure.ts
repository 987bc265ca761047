/** The reason why a server at a URL did not answer one request, or cannot answer any request. */
export type RemoteFailure =
  /** The run ended or never began, because the server is unreachable, refuses access or is not an MCP server. */
  | { readonly kind: 'unreachable'; readonly problem: string; readonly advice?: string | undefined }
  /** The server has lost the run's session. All requests in flight are lost too. */
  | { readonly kind: 'session-lost'; readonly problem: string }
  /** One request was not delivered, or its answer was lost. The run continues. */
  | {
      readonly kind: 'undelivered';
      readonly problem: string;
      readonly advice?: string | undefined;
      /** The HTTP status code, if the server sent a response. */
      readonly status?: number | undefined;
    };

/** The 4xx status codes that do not concern a request's content. */
const CONTENT_INDEPENDENT_STATUSES: ReadonlySet<number> = new Set([401, 403, 407, 408, 425, 429]);

/**
 * True if the HTTP status means that the server refused only this request's content, so it may accept other requests.
 */
export function isContentRefusal({ status = 0 }: { readonly status?: number | undefined }): boolean {
  return status >= 400 && status < 500 && !CONTENT_INDEPENDENT_STATUSES.has(status);
}

const REMOTE_FAILURE_KINDS: ReadonlySet<string> = new Set(['unreachable', 'session-lost', 'undelivered']);

/** True if only a server at a URL can fail in this way. */
export function isRemoteFailure(failure: { readonly kind: string }): failure is RemoteFailure {
  return REMOTE_FAILURE_KINDS.has(failure.kind);
}

/** Describes the failure in one sentence with `who` as its subject. */
export function summarizeRemote(who: string, failure: RemoteFailure): string {
  // A problem that another program reported may already end with a full stop.
  const problem = failure.problem.replace(/\.$/, '');
  switch (failure.kind) {
    case 'unreachable':
      return `${who} cannot be reached: ${problem}.`;
    case 'session-lost':
      return `${who} has lost its session: ${problem}; calls in flight were not repeated.`;
    case 'undelivered':
      return `${who} did not answer: ${problem}; the request was not repeated.`;
  }
}

/** Returns advice on what to do about the failure, or undefined if there is none. */
export function adviseRemote(server: string, failure: RemoteFailure): string | undefined {
  const again = `reload_server with {"name": ${JSON.stringify(server)}}`;
  if (failure.kind === 'undelivered') return failure.advice;
  if (failure.kind === 'unreachable')
    return [failure.advice, `Call ${again} to try again.`].filter(Boolean).join(' ');
  return (
    'mcpmux opens a new session at once. The call may have had effects. Check them before you call again. ' +
    `If list_servers shows the server as crashed, call ${again}.`
  );
}
