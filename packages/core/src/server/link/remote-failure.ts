/** Why a server at a url did not answer: at all, any more, or this once. */
export type RemoteFailure =
  /** The run has ended, or never began: no connection, no entry, no MCP. */
  | { readonly kind: 'unreachable'; readonly problem: string; readonly advice?: string | undefined }
  /** The server has forgotten the session of the run, with everything in flight. */
  | { readonly kind: 'session-lost'; readonly problem: string }
  /** One request did not come through, or its answer did not come back. The run goes on. */
  | {
      readonly kind: 'undelivered';
      readonly problem: string;
      readonly advice?: string | undefined;
      /** The status of the HTTP response, where there was one. */
      readonly status?: number | undefined;
    };

/** Client errors of HTTP that say nothing about the kind of a request. */
const ABOUT_CLIENTS: ReadonlySet<number> = new Set([401, 403, 407, 408, 425, 429]);

/** True if a server has refused a request for its content: it may answer another request. */
export function isUnwanted({ status = 0 }: { readonly status?: number | undefined }): boolean {
  return status >= 400 && status < 500 && !ABOUT_CLIENTS.has(status);
}

const KINDS: ReadonlySet<string> = new Set(['unreachable', 'session-lost', 'undelivered']);

/** True for a failure that only servers at urls have. */
export function isRemoteFailure(failure: { readonly kind: string }): failure is RemoteFailure {
  return KINDS.has(failure.kind);
}

/** Returns the event in one sentence. */
export function summarizeRemote(who: string, failure: RemoteFailure): string {
  // Some problems are sentences of another program.
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

/** Returns the next step; undefined if there is none. */
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
