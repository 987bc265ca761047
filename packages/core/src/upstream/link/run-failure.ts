import type { ProcessExit } from '../../process/process-spec.js';
import { adviseRemote, isRemoteFailure, summarizeRemote, type RemoteFailure } from './remote-failure.js';

/** Why one run of a server ended, or never began. */
export type RunFailure =
  | ({ readonly stderrTail: readonly string[] } & (
      | { readonly kind: 'exited'; readonly exit: ProcessExit }
      /** `problem`: why the pipe cannot be used; absent when the server has closed it. */
      | { readonly kind: 'pipe-closed'; readonly pipe: 'stdin' | 'stdout'; readonly problem?: string }
      /** `phase`: `launch`, or the request that it did not answer. */
      | { readonly kind: 'start-timeout'; readonly phase: string; readonly afterMs: number }
      | { readonly kind: 'bad-answer'; readonly phase: string; readonly problem: string }
      /** It left this many health checks unanswered; `tool`: the tool that the checks call instead of a ping. */
      | { readonly kind: 'unresponsive'; readonly pings: number; readonly tool?: string | undefined }
    ))
  | { readonly kind: 'not-launched'; readonly problem: string }
  | Extract<RemoteFailure, { kind: 'unreachable' | 'session-lost' }>
  | { readonly kind: 'removed' | 'reloaded' | 'shut-down' };

/** Why one call will get no response from its server. */
export type CallFailure =
  | RunFailure
  | { readonly kind: 'busy'; readonly problem: string }
  | Extract<RemoteFailure, { kind: 'undelivered' }>
  | { readonly kind: 'timed-out'; readonly afterMs: number }
  | { readonly kind: 'unreadable-response'; readonly problem: string };

/** What happened, in one sentence that names the server. */
export function summarize(server: string, failure: CallFailure): string {
  const who = `Server "${server}"`;
  if (isRemoteFailure(failure)) return summarizeRemote(who, failure);
  switch (failure.kind) {
    case 'exited':
      return `${who} ${describeExit(failure.exit)}.`;
    case 'pipe-closed':
      return `${who} ${describePipe(failure)}; it was stopped.`;
    case 'start-timeout':
      return failure.phase === 'launch'
        ? `${who} was not launched within ${failure.afterMs / 1000} s.`
        : `${who} did not answer ${failure.phase} within ${failure.afterMs / 1000} s and was stopped.`;
    case 'bad-answer':
      return `${who} gave an unusable answer to ${failure.phase}: ${failure.problem}.`;
    case 'unresponsive':
      return `${who} ${describeChecks(failure)} and was stopped.`;
    case 'not-launched':
      return `${who} could not be started: ${failure.problem}`;
    case 'removed':
      return `${who} was removed before it answered.`;
    case 'reloaded':
      return `${who} was reloaded before it answered; the call was not repeated.`;
    case 'shut-down':
      return `mcpmux is shutting down; server "${server}" did not answer in time.`;
    case 'timed-out':
      return `${who} sent no response and no progress for ${failure.afterMs / 1000} s; mcpmux cancelled the call.`;
    case 'busy':
      return `${who} is busy: ${failure.problem}.`;
    case 'unreadable-response':
      return `${who} answered, but its response cannot be read: ${failure.problem}.`;
  }
}

function describeChecks({ pings, tool }: Extract<RunFailure, { kind: 'unresponsive' }>): string {
  return tool === undefined
    ? `did not answer ${pings} pings`
    : `failed ${pings} health checks by its tool ${JSON.stringify(tool)}`;
}

/** What to do next, or nothing when there is nothing sensible to do. */
export function advise(server: string, failure: CallFailure): string | undefined {
  if (isRemoteFailure(failure)) return adviseRemote(server, failure);
  switch (failure.kind) {
    case 'exited':
    case 'pipe-closed':
    case 'start-timeout':
    case 'bad-answer':
    case 'unresponsive':
      return `Call reload_server with {"name": ${JSON.stringify(server)}} to start it again.`;
    case 'not-launched':
      return `Remove the server and add it again with a corrected command, or fix the cause and call reload_server.`;
    case 'timed-out':
      return `The call may have had effects. Call reload_server with {"name": ${JSON.stringify(server)}} if the server hangs.`;
    case 'reloaded':
    case 'busy':
      return 'Try the call again.';
    case 'removed':
      return 'Call add_server to bring it back.';
    case 'shut-down':
    case 'unreadable-response':
      return undefined;
  }
}

/** What happened, and the last lines of stderr where there are any. */
export function report(server: string, failure: CallFailure): string {
  const tail = stderrTailOf(failure).map((line) => `\n  ${line}`);
  const lines = tail.length === 0 ? '' : `\nLast lines of its stderr:${tail.join('')}`;
  return summarize(server, failure) + lines;
}

/** The whole story for a reader: {@link report}, and what to do. */
export function explain(server: string, failure: CallFailure): string {
  const advice = advise(server, failure);
  return advice === undefined ? report(server, failure) : `${report(server, failure)}\n${advice}`;
}

/** The last stderr lines of the run, where there was one. */
export function stderrTailOf(failure: CallFailure): readonly string[] {
  return 'stderrTail' in failure ? failure.stderrTail : [];
}

function describePipe({ pipe, problem }: Extract<RunFailure, { kind: 'pipe-closed' }>): string {
  return problem === undefined
    ? `closed its ${pipe}, so it can no longer be reached`
    : `can no longer be reached over its ${pipe}: ${problem}`;
}

function describeExit({ exitCode, signal }: ProcessExit): string {
  return signal === null ? `exited with code ${exitCode}` : `was killed by signal ${signal}`;
}
