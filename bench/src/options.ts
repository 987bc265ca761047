import { parseArgs } from 'node:util';

import type { ForwardingOptions } from './forwarding/run-forwarding.js';
import { isPayloadName, PAYLOAD_NAMES } from './payload.js';
import type { ComparedFront, HttpLoadOptions } from './http/run-http.js';
import type { ScaleOptions } from './scale/run-scale.js';
import type { SharedLoadOptions } from './shared/run-shared.js';
import type { EraTargetName, SharedTargetName, TargetName } from './targets/target.js';
import type { UrlLoadOptions } from './url/run-urls.js';

/** The parts of a run. */
export type Section =
  | 'forwarding'
  | 'start-up'
  | 'install'
  | 'scale'
  | 'oversized'
  | 'http'
  | 'urls'
  | 'shared';

/** The options of a command line. */
export interface BenchOptions {
  readonly sections: readonly Section[];
  /** Everything once and short: the numbers mean nothing. */
  readonly isSmoke: boolean;
  readonly forwarding: ForwardingOptions;
  readonly startUpRuns: number;
  readonly scale: ScaleOptions;
  readonly http: HttpLoadOptions;
  readonly urls: UrlLoadOptions;
  readonly shared: SharedLoadOptions;
  /** Where the results go as JSON; nowhere when undefined. */
  readonly jsonFile: string | undefined;
  /** Writes the results into `docs/internals/bench.json`. */
  readonly writesDocs: boolean;
  readonly wantsHelp: boolean;
}

/** The parts that run when none is chosen, in the order they run. */
export const SECTIONS: readonly Section[] = ['forwarding', 'start-up', 'install', 'scale', 'oversized'];

/** The parts that run only when they are chosen. */
const CHOSEN_SECTIONS: readonly Section[] = ['http', 'urls', 'shared'];

/** All targets, in the order they are shown. */
export const TARGET_NAMES: readonly TargetName[] = [
  'direct',
  'byte-pipe',
  'mcpmux',
  'sdk-v1-proxy',
  'sdk-v2-proxy',
  'mcp-proxy',
  'mcp-hub',
];

/** The targets that run only when they are chosen: the modern era, and each bridge between the eras. */
export const ERA_TARGET_NAMES: readonly EraTargetName[] = [
  'modern-byte-pipe',
  'modern-on-modern',
  'modern-on-legacy',
  'legacy-on-modern',
];

/** The targets that run only when they are chosen: one process for all windows, and its least possible cost. */
export const SHARED_TARGET_NAMES: readonly SharedTargetName[] = ['shared', 'bare-relay', 'two-byte-pipes'];

/** The text of `--help`. */
export const USAGE = `usage: npm run bench -- [options]

  --smoke             every measurement once and short: shows that all works, not how fast
  --sections LIST     of ${SECTIONS.join(', ')}; or http: many sessions over HTTP;
                      or urls: a server at a url; or shared: one process for all windows
  --sessions N        of the section http (default: 200)
  --fronts LIST       of the same, to be compared with the relay: mcpmux, mcp-proxy or mcpmux:FOLDER
  --targets LIST      of ${TARGET_NAMES.join(', ')},
                      of ${ERA_TARGET_NAMES.join(', ')},
                      of ${SHARED_TARGET_NAMES.join(', ')},
                      or mcpmux:FOLDER: another build of the command, in the folder of its package
  --payloads LIST     of ${PAYLOAD_NAMES.join(', ')}
  --in-flight LIST    calls in flight (default: 1,32,256)
  --rounds N          how often each load runs, of targets no goal is about half as often (default: 9)
  --window MS         how long each load goes on (default: 300)
  --id-first          the echo server puts \`id\` before \`result\`
  --json FILE         writes everything that was measured
  --docs              writes docs/internals/bench.json, of which the site makes a page
  --help              prints this

LIST is separated by commas.
`;

const FLAGS = {
  smoke: { type: 'boolean', default: false },
  sections: { type: 'string', default: SECTIONS.join(',') },
  targets: { type: 'string', default: TARGET_NAMES.join(',') },
  payloads: { type: 'string', default: PAYLOAD_NAMES.join(',') },
  'in-flight': { type: 'string' },
  rounds: { type: 'string' },
  sessions: { type: 'string' },
  fronts: { type: 'string', default: 'mcpmux,mcp-proxy' },
  window: { type: 'string' },
  'id-first': { type: 'boolean', default: false },
  json: { type: 'string' },
  docs: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const FULL = {
  inFlight: [1, 32, 256],
  rounds: 9,
  windowMs: 300,
  minCallsPerPlace: 1,
  startUpRuns: 21,
  servers: [1, 10, 100],
  tools: [10, 100, 1000, 10_000],
  scaleInFlight: [1, 10, 100, 1000, 10_000],
  calls: [1000, 10_000, 100_000],
  http: { sessions: 200, rounds: 9, windowMs: 300, idleSessions: 800 },
  urls: { rounds: 9, windowMs: 300 },
  shared: { rounds: 9, windowMs: 300, windows: 10, servers: 5, starts: 15 },
};

const SMOKE: typeof FULL = {
  inFlight: [1, 16],
  rounds: 1,
  windowMs: 0,
  minCallsPerPlace: 2,
  startUpRuns: 2,
  servers: [1, 5],
  tools: [10, 1000],
  scaleInFlight: [1, 256],
  calls: [100, 1000],
  http: { sessions: 5, rounds: 2, windowMs: 20, idleSessions: 20 },
  urls: { rounds: 1, windowMs: 20 },
  shared: { rounds: 1, windowMs: 20, windows: 2, servers: 1, starts: 2 },
};

/** Reads a command line. Throws an error with a message for the user when it makes no sense. */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({ args: [...args], options: FLAGS, strict: true });
  const defaults = values.smoke ? SMOKE : FULL;
  const windowMs = positive('--window', values.window) ?? defaults.windowMs;
  return {
    isSmoke: values.smoke,
    sections: members('--sections', values.sections, isSection),
    forwarding: {
      targets: members('--targets', values.targets, isTargetName),
      payloads: members('--payloads', values.payloads, isPayloadName),
      inFlight: counts('--in-flight', values['in-flight']) ?? defaults.inFlight,
      rounds: positive('--rounds', values.rounds) ?? defaults.rounds,
      window: { windowMs, minCallsPerPlace: defaults.minCallsPerPlace },
      idFirst: values['id-first'],
    },
    startUpRuns: defaults.startUpRuns,
    scale: {
      servers: defaults.servers,
      tools: defaults.tools,
      inFlight: defaults.scaleInFlight,
      calls: defaults.calls,
      windowMs,
    },
    http: {
      sessions: positive('--sessions', values.sessions) ?? defaults.http.sessions,
      rounds: positive('--rounds', values.rounds) ?? defaults.http.rounds,
      windowMs: positive('--window', values.window) ?? defaults.http.windowMs,
      fronts: members('--fronts', values.fronts, isFrontName),
      idleSessions: defaults.http.idleSessions,
    },
    urls: {
      rounds: positive('--rounds', values.rounds) ?? defaults.urls.rounds,
      windowMs: positive('--window', values.window) ?? defaults.urls.windowMs,
    },
    shared: {
      ...defaults.shared,
      rounds: positive('--rounds', values.rounds) ?? defaults.shared.rounds,
      windowMs: positive('--window', values.window) ?? defaults.shared.windowMs,
    },
    jsonFile: values.json,
    writesDocs: values.docs,
    wantsHelp: values.help,
  };
}

function members<Name extends string>(
  flag: string,
  list: string,
  isMember: (name: string) => name is Name,
): Name[] {
  const names = list.split(',');
  const known = names.filter(isMember);
  const unknown = names.find((name) => !isMember(name));
  if (unknown !== undefined) throw new Error(`${flag}: there is no ${JSON.stringify(unknown)}`);
  return known;
}

function counts(flag: string, list: string | undefined): number[] | undefined {
  return list?.split(',').map((text) => positive(flag, text) ?? 0);
}

function positive(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`${flag}: ${JSON.stringify(text)} is not a whole number above 0`);
}

function isSection(name: string): name is Section {
  return [...SECTIONS, ...CHOSEN_SECTIONS].some((section) => section === name);
}

function isFrontName(name: string): name is ComparedFront {
  return ['mcpmux', 'mcp-proxy'].includes(name) || name.startsWith('mcpmux:');
}

function isTargetName(name: string): name is TargetName {
  return (
    name.startsWith('mcpmux:') ||
    [...TARGET_NAMES, ...ERA_TARGET_NAMES, ...SHARED_TARGET_NAMES].some((target) => target === name)
  );
}
