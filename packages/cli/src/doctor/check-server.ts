import type { Outcome } from '../live/outcome.js';
import { unsetVariables } from '../config/why-misconfigured.js';
import { ok, problem, warning, type Finding } from './finding.js';

const SLOW_START_MS = 5000;
/** The error of core for a program that does not exist. */
const MISSING = /command "(?<command>[^"]*)" was not found/;
/** The error of core for a server at a url. */
const AT_URL = /: https?:\/\//;
const RUNNERS: Readonly<Record<string, string>> = {
  npx: 'install Node.js with npm: https://nodejs.org',
  node: 'install Node.js, or write its whole path',
  uvx: 'install uv: https://docs.astral.sh/uv',
  uv: 'install uv: https://docs.astral.sh/uv',
  docker: 'install Docker',
};

/** The result of the start of a server, and warnings about it. */
export function checkServer(outcome: Outcome): readonly Finding[] {
  const { name: subject } = outcome;
  switch (outcome.kind) {
    case 'disabled':
      return [ok(subject, 'disabled', `mcpmux enable ${subject}`)];
    case 'misconfigured':
      return [problem(subject, 'misconfigured: see config above')];
    case 'not_selected':
      return [ok(subject, `not selected: ${outcome.reason}`)];
    case 'failed':
      return [problem(subject, outcome.reason, remedy(subject, outcome.reason))];
    case 'ready':
    case 'remembered':
    case 'starting':
      return [warning(subject, 'still starting')];
    case 'running':
      return [running(outcome), ...troubles(outcome)];
  }
}

type Running = Extract<Outcome, { readonly kind: 'running' }>;

function running({ name, state, startMs }: Running): Finding {
  const { length } = state.tools;
  const up = startMs === undefined ? '' : `, up in ${startMs} ms`;
  const revision = state.protocolVersion === undefined ? '' : `, MCP ${state.protocolVersion}`;
  const asleep = state.status === 'idle' ? ', idle: it starts with its next call' : '';
  return ok(name, `${length} ${length === 1 ? 'tool' : 'tools'}${up}${revision}${asleep}`);
}

function troubles({ name: subject, state, startMs = 0 }: Running): readonly Finding[] {
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
    ...(startMs > SLOW_START_MS ? [slow] : []),
    ...(droppedLines > 0 ? [noise] : []),
    ...warnings.map((message) => warning(subject, message)),
  ];
}

function remedy(server: string, reason: string): string {
  const unset = unsetVariables(reason);
  if (unset.length > 0)
    return `set ${unset.join(', ')} where the client starts mcpmux; mcpmux doctor says which client passes it on`;
  if (reason.includes(`mcpmux login ${server}`)) return `mcpmux login ${server}`;
  if (AT_URL.test(reason)) return `mcpmux get ${server} shows its url and the names of its headers`;
  const command = MISSING.exec(reason)?.groups?.['command'];
  if (command === undefined) return `mcpmux get ${server} shows the command; try it in a terminal`;
  return RUNNERS[command] ?? 'install the program, or write its whole path';
}
