import { unsetVariables } from '@mcpmux/config';

import type { Outcome } from '../live/outcome.js';
import { milliseconds } from '../terminal/duration.js';
import { ok, problem, warning, type Finding } from './finding.js';

const SLOW_START_MS = 5000;
/** The additional time for each server that starts at the same time, because they share the machine. */
const SHARE_MS = 2000;
/** Matches the reason for a server that ran and then ended, by itself or because of another program. */
const ENDED = /\b(?:killed by|ended by|exited with|signal)\b/;
/** Matches core's error for a program that does not exist. */
const MISSING = /command "[^"]*" was not found/;
/** Matches the error for a server without a valid login. */
export const NEEDS_LOGIN = / needs a login: /;
/** Begins the line that allows what a sandbox has refused. */
const OFFERED = ' This line in its entry allows it: ';
/** Matches core's error for a server at a URL. */
const AT_URL = /: https?:\/\//;

/** The circumstances in which the servers were checked. */
export interface ServerCheck {
  /** The number of servers that were started at the same time. */
  readonly together: number;
  /** True if the servers run in a running mcpmux. */
  readonly isServed: boolean;
}

const ALONE: ServerCheck = { together: 1, isServed: false };

/** Reports the result of a server's start, and warnings about the server. */
export function checkServer(outcome: Outcome, check: ServerCheck = ALONE): readonly Finding[] {
  const { name: subject } = outcome;
  switch (outcome.kind) {
    case 'disabled':
      return [ok(subject, 'disabled', `mcpmux enable ${subject}`)];
    case 'not_selected':
      return [ok(subject, `not selected: ${outcome.reason}`)];
    case 'failed':
      return outcome.reason === undefined
        ? [problem(subject, 'its configuration cannot be used: see config above')]
        : [problem(subject, forPeople(outcome.reason), remedy(subject, outcome.reason, check))];
    case 'crashed':
    case 'not_loaded':
      return [problem(subject, forPeople(outcome.reason), remedy(subject, outcome.reason, check))];
    case 'ready':
    case 'remembered':
    case 'starting':
      return [warning(subject, 'still starting')];
    case 'running':
      return [running(outcome), ...troubles(outcome, check)];
  }
}

type Running = Extract<Outcome, { readonly kind: 'running' }>;

function running({ name, state, startMs }: Running): Finding {
  const { length } = state.tools;
  const up = startMs === undefined ? '' : `, up in ${milliseconds(startMs)}`;
  const revision = state.protocolVersion === undefined ? '' : `, MCP ${state.protocolVersion}`;
  const asleep = state.status === 'idle' ? ', idle: it starts with its next call' : '';
  const confined = state.sandbox === undefined ? '' : `, confined by ${state.sandbox}`;
  return ok(name, `${length} ${length === 1 ? 'tool' : 'tools'}${up}${revision}${asleep}${confined}`);
}

function troubles(
  { name: subject, state, startMs = 0 }: Running,
  { together }: ServerCheck,
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
    ...(startMs > SLOW_START_MS + SHARE_MS * (together - 1) ? [slow] : []),
    ...(droppedLines > 0 ? [noise] : []),
    ...warnings.map((message) => warning(subject, message)),
  ];
}

/** Removes the advice for agents. The remedy says what a person can do instead. */
function forPeople(reason: string): string {
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
  if (reason.includes(OFFERED)) return 'write that line into the entry if the server may do so';
  if (AT_URL.test(reason)) return `mcpmux get ${server} shows its url and the names of its headers`;
  if (MISSING.test(reason)) return 'install the program, or write its whole path';
  if (isServed && ENDED.test(reason))
    return `mcpmux reload ${server} starts it again; "mux": {"restart": "on-failure"} in its entry does so by itself`;
  return `mcpmux get ${server} shows the command; try it in a terminal`;
}
