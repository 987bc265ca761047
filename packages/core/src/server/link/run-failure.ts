import { quote } from '@mcpmux/kit';
import type { ProcessExit } from '../../process/process-spec.js';
import { adviseRemote, isRemoteFailure, summarizeRemote, type RemoteFailure } from './remote-failure.js';

/** The non-MCP output of a run's process. */
export interface RunOutput {
  /** An excerpt of stderr: the first lines, the last lines, and lines between them that mention errors. */
  readonly stderrTail: readonly string[];
  /** An excerpt of the stdout lines that were not MCP messages. Absent if all lines were MCP messages. */
  readonly stdoutLines?: readonly string[];
  /** Names the actions that the sandbox refused, and the setting that allows them. */
  readonly advice?: string;
}

/** A client or the host ended the run, but mcpmux itself continues. */
interface RequestedEnd {
  readonly kind: 'removed' | 'moved' | 'reloaded';
}

/** The reason why a run of a server ended or never began. */
export type RunFailure =
  | (RunOutput &
      (
        | { readonly kind: 'exited'; readonly exit: ProcessExit }
        /** `problem` says why the pipe is unusable. It is absent if the server closed the pipe itself. */
        | { readonly kind: 'pipe-closed'; readonly pipe: 'stdin' | 'stdout'; readonly problem?: string }
        /** `phase` is `launch`, or the method of the request that the server did not answer. */
        | { readonly kind: 'start-timeout'; readonly phase: string; readonly afterMs: number }
        | { readonly kind: 'bad-answer'; readonly phase: string; readonly problem: string }
        /**
         * `pings` counts the unanswered health checks. `tool` is the tool that they called instead of `ping`, if any.
         */
        | { readonly kind: 'unresponsive'; readonly pings: number; readonly tool?: string | undefined }
      ))
  | { readonly kind: 'not-launched'; readonly problem: string }
  /** The server cannot be started from its configuration. */
  | { readonly kind: 'misconfigured'; readonly problem: string }
  | Extract<RemoteFailure, { kind: 'unreachable' | 'session-lost' }>
  | RequestedEnd
  | { readonly kind: 'shut-down' };

/** The reason why a call gets no usable response from its server. */
export type CallFailure =
  | RunFailure
  | { readonly kind: 'busy'; readonly problem: string }
  | Extract<RemoteFailure, { kind: 'undelivered' }>
  | { readonly kind: 'timed-out'; readonly afterMs: number }
  | { readonly kind: 'unreadable-response'; readonly problem: string };

const REQUESTED_ENDS: Readonly<
  Record<RequestedEnd['kind'], { readonly event: string; readonly next: string }>
> = {
  removed: { event: 'was removed before it answered', next: 'Call add_server to bring it back.' },
  moved: {
    event: 'was moved to another node before it answered; the call was not repeated',
    next: 'The call may have had effects. Try it again if it can be repeated.',
  },
  reloaded: {
    event: 'was reloaded before it answered; the call was not repeated',
    next: 'Try the call again.',
  },
};

function isRequestedEnd(failure: CallFailure): failure is RequestedEnd {
  return failure.kind in REQUESTED_ENDS;
}

/** Describes the failure in one sentence that names the server. */
export function summarize(server: string, failure: CallFailure): string {
  const who = `Server "${server}"`;
  if (isRemoteFailure(failure)) return summarizeRemote(who, failure);
  if (isRequestedEnd(failure)) return `${who} ${REQUESTED_ENDS[failure.kind].event}.`;
  switch (failure.kind) {
    case 'exited':
      return `${who} ${describeExit(failure.exit)}.`;
    case 'pipe-closed':
      return `${who} ${describePipe(failure)}; it was stopped.`;
    case 'start-timeout':
      return `${who} ${describeTimeout(failure)}.`;
    case 'bad-answer':
      return `${who} gave an unusable answer to ${failure.phase}: ${failure.problem}.`;
    case 'unresponsive':
      return `${who} ${describeChecks(failure)} and was stopped.`;
    case 'not-launched':
      return `${who} could not be started: ${failure.problem}`;
    case 'misconfigured':
      return `${who} is not started, because its configuration cannot be used: ${failure.problem.replace(/\.$/, '')}.`;
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
    : `failed ${pings} health checks by its tool ${quote(tool)}`;
}

/** Returns advice on what to do about the failure, or undefined if there is none. */
export function failureAdvice(server: string, failure: CallFailure): string | undefined {
  if (isRemoteFailure(failure)) return adviseRemote(server, failure);
  if (isRequestedEnd(failure)) return REQUESTED_ENDS[failure.kind].next;
  switch (failure.kind) {
    case 'exited':
    case 'pipe-closed':
    case 'start-timeout':
    case 'bad-answer':
    case 'unresponsive':
      return (
        failure.advice ?? `Call reload_server with {"name": ${JSON.stringify(server)}} to start it again.`
      );
    case 'not-launched':
      return `Remove the server and add it again with a corrected command, or fix the cause and call reload_server.`;
    case 'misconfigured':
      return (
        'Correct the configuration or provide what it misses, then call reload_server with ' +
        `{"name": ${JSON.stringify(server)}}: that reads the configuration again.`
      );
    case 'timed-out':
      return `The call may have had effects. Call reload_server with {"name": ${JSON.stringify(server)}} if the server hangs.`;
    case 'busy':
      return 'Try the call again.';
    case 'shut-down':
    case 'unreadable-response':
      return undefined;
  }
}

/** Returns the summary, the server's non-MCP output, and the name of the tool that returns more of this output. */
export function failureReport(server: string, failure: CallFailure): string {
  const lines = [
    ...reportSection('Its stderr:', stderrTailOf(failure)),
    ...reportSection('Lines of its stdout that are not MCP:', stdoutLinesOf(failure)),
  ];
  if (lines.length > 0)
    lines.push(`server_logs with {"name": ${JSON.stringify(server)}} shows more of them.`);
  return [summarize(server, failure), ...lines].join('\n');
}

function reportSection(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [heading, ...lines.map((line) => `  ${line}`)];
}

/** Returns the {@link failureReport}, followed by the advice for this failure, if any. */
export function explain(server: string, failure: CallFailure): string {
  const advice = failureAdvice(server, failure);
  return advice === undefined
    ? failureReport(server, failure)
    : `${failureReport(server, failure)}\n${advice}`;
}

/** If the run had a process, adds its non-MCP stdout lines to the failure. */
export function withStdout(failure: RunFailure, stdoutLines: readonly string[]): RunFailure {
  return 'stderrTail' in failure && stdoutLines.length > 0 ? { ...failure, stdoutLines } : failure;
}

/** If stderr mentions actions that the sandbox refused, adds advice about them to the failure. */
export function withRefusals(
  failure: RunFailure,
  findRefusals: (stderr: readonly string[]) => string | undefined,
): RunFailure {
  if (!('stderrTail' in failure)) return failure;
  const advice = findRefusals(failure.stderrTail);
  return advice === undefined ? failure : { ...failure, advice };
}

/** Returns the excerpt of the run's non-MCP stdout lines, or an empty array if there are none. */
export function stdoutLinesOf(failure: CallFailure): readonly string[] {
  return 'stdoutLines' in failure ? (failure.stdoutLines ?? []) : [];
}

/** Returns the excerpt of the run's stderr, or an empty array if the run had no process. */
export function stderrTailOf(failure: CallFailure): readonly string[] {
  return 'stderrTail' in failure ? failure.stderrTail : [];
}

function describeTimeout({ phase, afterMs }: Extract<RunFailure, { kind: 'start-timeout' }>): string {
  return phase === 'launch'
    ? `was not launched within ${afterMs / 1000} s`
    : `did not answer ${phase} within ${afterMs / 1000} s and was stopped`;
}

function describePipe({ pipe, problem }: Extract<RunFailure, { kind: 'pipe-closed' }>): string {
  return problem === undefined
    ? `closed its ${pipe}, so it can no longer be reached`
    : `can no longer be reached over its ${pipe}: ${problem}`;
}

function describeExit({ exitCode, signal }: ProcessExit): string {
  return signal === null ? `exited with code ${exitCode}` : `was killed by signal ${signal}`;
}
