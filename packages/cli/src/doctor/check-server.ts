import { unsetVariables } from '@mcpmux/config';

import type { Outcome } from '../live/outcome.js';
import { formatMilliseconds } from '../terminal/duration.js';
import { ok, problem, warning, type Finding } from './finding.js';

const SLOW_START_MS = 5000;
/** The extra time allowed per additional server that starts concurrently, because the starts slow each other down. */
const CONCURRENT_START_MS = 2000;
/** Matches the failure reason of a server that ran and then exited or was killed. */
const EXIT_REASON = /\b(?:killed by|ended by|exited with|signal)\b/;
/** Matches core's error for a program that was not found. */
const MISSING_PROGRAM = /command "[^"]*" was not found/;
/** Matches the error for a server without a valid login. */
export const NEEDS_LOGIN = / needs a login: /;
/** In an error about denied access, precedes the config line that would permit the access. */
const SUGGESTED_LINE_PREFIX = ' This line in its entry allows it: ';
/** Matches the URL in core's errors about remote servers. */
const URL_SERVER_ERROR = /: https?:\/\//;

/** How the servers were started. */
export interface ServerCheck {
  /** The number of servers that were started concurrently. */
  readonly startedCount: number;
  /** True if the servers belong to an mcpmux that was already running when `mcpmux doctor` started. */
  readonly isServed: boolean;
}

const SINGLE_START: ServerCheck = { startedCount: 1, isServed: false };

/** Reports whether a server started, with warnings if it is running. */
export function checkServer(outcome: Outcome, check: ServerCheck = SINGLE_START): readonly Finding[] {
  const { name: subject } = outcome;
  switch (outcome.kind) {
    case 'disabled':
      return [ok(subject, 'disabled', `mcpmux enable ${subject}`)];
    case 'not_selected':
      return [ok(subject, `not selected: ${outcome.reason}`)];
    case 'failed':
      return outcome.reason === undefined
        ? [problem(subject, 'its configuration cannot be used: see config above')]
        : [problem(subject, withoutAgentAdvice(outcome.reason), remedy(subject, outcome.reason, check))];
    case 'crashed':
    case 'not_loaded':
      return [problem(subject, withoutAgentAdvice(outcome.reason), remedy(subject, outcome.reason, check))];
    case 'ready':
    case 'remembered':
    case 'starting':
      return [warning(subject, 'still starting')];
    case 'running':
      return [runningFinding(outcome), ...warningsFor(outcome, check)];
  }
}

type RunningOutcome = Extract<Outcome, { readonly kind: 'running' }>;

function runningFinding({ name, state, startMs }: RunningOutcome): Finding {
  const { length } = state.tools;
  const start = startMs === undefined ? '' : `, up in ${formatMilliseconds(startMs)}`;
  const revision = state.protocolVersion === undefined ? '' : `, MCP ${state.protocolVersion}`;
  const idle = state.status === 'idle' ? ', idle: it starts with its next call' : '';
  const sandbox = state.sandbox === undefined ? '' : `, confined by ${state.sandbox}`;
  return ok(name, `${length} ${length === 1 ? 'tool' : 'tools'}${start}${revision}${idle}${sandbox}`);
}

function warningsFor(
  { name: subject, state, startMs = 0 }: RunningOutcome,
  { startedCount }: ServerCheck,
): readonly Finding[] {
  const { droppedLines, warnings } = state;
  const slow = warning(
    subject,
    `took ${Math.round(startMs / 1000)} s to start`,
    'a package runner may be downloading it each time: pin its version, or install the package',
  );
  const noise = warning(
    subject,
    `wrote ${droppedLines} lines to stdout that are not MCP messages`,
    'the server works, but should write logs to stderr: tell its author',
  );
  return [
    ...(startMs > SLOW_START_MS + CONCURRENT_START_MS * (startedCount - 1) ? [slow] : []),
    ...(droppedLines > 0 ? [noise] : []),
    ...warnings.map((message) => warning(subject, message)),
  ];
}

/** Removes the advice for agents from a failure reason, because the finding contains advice for people instead. */
function withoutAgentAdvice(reason: string): string {
  return reason.replaceAll(
    /\n *server_logs with [^\n]*| Install (?:it|that), or give its absolute path\./g,
    '',
  );
}

function remedy(server: string, reason: string, { isServed }: ServerCheck): string {
  const unset = unsetVariables(reason);
  if (unset.length > 0)
    return `set ${unset.join(', ')} where the client starts mcpmux; mcpmux doctor says which client passes it on`;
  if (reason.includes(`mcpmux login ${server}`) || NEEDS_LOGIN.test(reason)) return `mcpmux login ${server}`;
  if (reason.endsWith(': mcpmux reload')) return 'mcpmux reload';
  if (reason.includes(SUGGESTED_LINE_PREFIX)) return 'write that line into the entry if the server may do so';
  if (URL_SERVER_ERROR.test(reason)) return `mcpmux get ${server} shows its url and the names of its headers`;
  if (MISSING_PROGRAM.test(reason)) return 'install the program, or write its whole path';
  if (isServed && EXIT_REASON.test(reason))
    return `mcpmux reload ${server} starts it again; "mux": {"restart": "on-failure"} in its entry does so by itself`;
  return `mcpmux get ${server} shows the command; try it in a terminal`;
}
