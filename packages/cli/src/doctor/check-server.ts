import type { Outcome } from '../live/live-servers.js';
import type { Finding } from './finding.js';

const SLOW_START_MS = 5000;
/** As core tells that there is no such program. */
const MISSING = /command "(?<command>[^"]*)" was not found/;
/** As core tells of a server at a url. */
const AT_URL = /: https?:\/\//;
const RUNNERS: Readonly<Record<string, string>> = {
  npx: 'install Node.js with npm: https://nodejs.org',
  node: 'install Node.js, or name it by its whole path',
  uvx: 'install uv: https://docs.astral.sh/uv',
  uv: 'install uv: https://docs.astral.sh/uv',
  docker: 'install Docker',
};

/** How the start of a server went, and what in it will trouble a client. */
export function checkServer(outcome: Outcome): readonly Finding[] {
  const { name: subject } = outcome;
  switch (outcome.kind) {
    case 'disabled':
      return [{ subject, level: 'ok', message: 'disabled', next: `mcpmux enable ${subject}` }];
    case 'misconfigured':
      return [{ subject, level: 'problem', message: 'misconfigured: see config above' }];
    case 'not_selected':
      return [{ subject, level: 'ok', message: `not selected: ${outcome.reason}` }];
    case 'failed':
      return [{ subject, level: 'problem', message: outcome.reason, next: remedy(subject, outcome.reason) }];
    case 'starting':
      return [{ subject, level: 'warning', message: 'still starting' }];
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
  return {
    subject: name,
    level: 'ok',
    message: `${length} ${length === 1 ? 'tool' : 'tools'}${up}${revision}${asleep}`,
  };
}

function troubles({ name: subject, state, startMs = 0 }: Running): readonly Finding[] {
  const { droppedLines, warnings } = state;
  const slow: Finding = {
    subject,
    level: 'warning',
    message: `took ${Math.round(startMs / 1000)} s to start`,
    next: 'a package runner may be downloading it each time: pin its version, or install the package',
  };
  const noise: Finding = {
    subject,
    level: 'warning',
    message: `wrote ${droppedLines} lines to stdout that are no MCP messages`,
    next: 'it works, but should write its logs to stderr: tell its author',
  };
  return [
    ...(startMs > SLOW_START_MS ? [slow] : []),
    ...(droppedLines > 0 ? [noise] : []),
    ...warnings.map((message): Finding => ({ subject, level: 'warning', message })),
  ];
}

function remedy(server: string, reason: string): string {
  if (reason.includes(`mcpmux login ${server}`)) return `mcpmux login ${server}`;
  if (AT_URL.test(reason)) return `mcpmux get ${server} shows its url and the names of its headers`;
  const command = MISSING.exec(reason)?.groups?.['command'];
  if (command === undefined) return `mcpmux get ${server} shows what is run; try it in a terminal`;
  return RUNNERS[command] ?? 'install it, or name it by its whole path';
}
