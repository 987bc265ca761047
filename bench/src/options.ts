import { parseArgs, type ParseArgsConfig } from 'node:util';

import {
  FULL_COMPARISON,
  gatewaysOf,
  isScenario,
  SMOKE_COMPARISON,
  COMPARED_PAYLOADS,
} from './gateways/gateway-options.js';
import { SCENARIOS, type GatewayOptions } from './gateways/gateway-report.js';
import type { ForwardingOptions } from './forwarding/run-forwarding.js';
import { isPayloadName, PAYLOAD_NAMES } from './payload.js';
import type { ClientEra } from './load/modern-headers.js';
import { isFramework } from './http/frameworks.js';
import { HTTP_PAYLOADS, type ComparedFront, type HttpLoadOptions } from './http/run-http.js';
import type { ScaleOptions } from './scale/run-scale.js';
import type { SharedLoadOptions } from './shared/run-shared.js';
import type { TargetName } from './targets/target.js';
import type { UrlLoadOptions } from './url/run-urls.js';
import {
  CHOSEN_SECTIONS,
  ERA_TARGET_NAMES,
  SECTIONS,
  SHARED_TARGET_NAMES,
  TARGET_NAMES,
  type Section,
} from './usage.js';

export { USAGE } from './usage.js';
export type { Section } from './usage.js';

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
  readonly gateways: GatewayOptions;
  /** Installs the gateways of other authors and compares them too. */
  readonly wantsPeers: boolean;
  /** Where the results go as JSON; nowhere when undefined. */
  readonly jsonFile: string | undefined;
  /** Writes the results into `docs/internals/bench.json`. */
  readonly writesDocs: boolean;
  readonly wantsHelp: boolean;
}

const FLAGS = {
  smoke: { type: 'boolean', default: false },
  sections: { type: 'string' },
  target: { type: 'string', multiple: true, default: [] as string[] },
  url: { type: 'string', multiple: true, default: [] as string[] },
  peers: { type: 'boolean', default: false },
  scenarios: { type: 'string', default: SCENARIOS.join(',') },
  targets: { type: 'string', default: TARGET_NAMES.join(',') },
  payloads: { type: 'string' },
  'in-flight': { type: 'string' },
  rounds: { type: 'string' },
  sessions: { type: 'string' },
  fronts: { type: 'string', default: 'mcpmux,mcp-proxy' },
  era: { type: 'string', default: 'legacy,modern' },
  window: { type: 'string' },
  'id-first': { type: 'boolean', default: false },
  json: { type: 'string' },
  docs: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} satisfies ParseArgsConfig['options'];

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
  gateways: FULL_COMPARISON,
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
  gateways: SMOKE_COMPARISON,
};

/** Reads a command line. Throws an error with a message for the user when it makes no sense. */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({ args: [...args], options: FLAGS, strict: true });
  const defaults = values.smoke ? SMOKE : FULL;
  const chosen = chosenSizes(values);
  const payloads = members('--payloads', values.payloads, isPayloadName);
  const inFlight = counts('--in-flight', values['in-flight']);
  return {
    isSmoke: values.smoke,
    sections: members('--sections', sectionsOf(values), isSection),
    forwarding: {
      targets: members('--targets', values.targets, isTargetName),
      payloads: payloads ?? PAYLOAD_NAMES,
      inFlight: inFlight ?? defaults.inFlight,
      rounds: chosen.rounds ?? defaults.rounds,
      window: {
        windowMs: chosen.windowMs ?? defaults.windowMs,
        minCallsPerPlace: defaults.minCallsPerPlace,
      },
      idFirst: values['id-first'],
    },
    startUpRuns: defaults.startUpRuns,
    scale: {
      servers: defaults.servers,
      tools: defaults.tools,
      inFlight: defaults.scaleInFlight,
      calls: defaults.calls,
      windowMs: chosen.windowMs ?? defaults.windowMs,
    },
    http: { ...defaults.http, ...chosen, ...httpChoices(values), payloads: payloads ?? HTTP_PAYLOADS },
    urls: { ...defaults.urls, ...chosen },
    shared: { ...defaults.shared, ...chosen },
    gateways: {
      ...defaults.gateways,
      ...chosen,
      gateways: gatewaysOf(values.target, values.url),
      scenarios: members('--scenarios', values.scenarios, isScenario),
      payloads: payloads ?? COMPARED_PAYLOADS,
      inFlight: inFlight ?? defaults.gateways.inFlight,
    },
    wantsPeers: values.peers,
    jsonFile: values.json,
    writesDocs: values.docs,
    wantsHelp: values.help,
  };
}

type Values = ReturnType<typeof parseArgs<{ options: typeof FLAGS }>>['values'];

/** The crowd and the fronts that the command line gives. */
function httpChoices({
  sessions,
  fronts,
  era,
}: Values): Pick<HttpLoadOptions, 'fronts' | 'eras'> & Partial<Pick<HttpLoadOptions, 'sessions'>> {
  return {
    ...(sessions === undefined ? {} : { sessions: positive('--sessions', sessions) }),
    fronts: members('--fronts', fronts, isFrontName),
    eras: members('--era', era, isEra),
  };
}

/** The sizes that the command line gives, without those that it leaves to each section. */
function chosenSizes({ rounds, window }: Values): { readonly rounds?: number; readonly windowMs?: number } {
  return {
    ...(rounds === undefined ? {} : { rounds: positive('--rounds', rounds) }),
    ...(window === undefined ? {} : { windowMs: positive('--window', window) }),
  };
}

/** A command line that names gateways asks for their section alone. */
function sectionsOf({ sections, peers, target, url }: Values): string {
  if (sections !== undefined) return sections;
  return peers || target.length + url.length > 0 ? 'gateways' : SECTIONS.join(',');
}

function members<Name extends string>(
  flag: string,
  list: string,
  isMember: (name: string) => name is Name,
): Name[];
function members<Name extends string>(
  flag: string,
  list: string | undefined,
  isMember: (name: string) => name is Name,
): Name[] | undefined;
function members<Name extends string>(
  flag: string,
  list: string | undefined,
  isMember: (name: string) => name is Name,
): Name[] | undefined {
  if (list === undefined) return undefined;
  const names = list.split(',');
  const known = names.filter(isMember);
  const unknown = names.find((name) => !isMember(name));
  if (unknown !== undefined) throw new Error(`${flag}: there is no ${JSON.stringify(unknown)}`);
  return known;
}

function counts(flag: string, list: string | undefined): number[] | undefined {
  return list?.split(',').map((text) => positive(flag, text));
}

function positive(flag: string, text: string): number;
function positive(flag: string, text: string | undefined): number | undefined;
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
  return ['mcpmux', 'mcp-proxy'].includes(name) || name.startsWith('mcpmux:') || isFramework(name);
}

function isEra(name: string): name is ClientEra {
  return ['legacy', 'modern'].includes(name);
}

function isTargetName(name: string): name is TargetName {
  return (
    name.startsWith('mcpmux:') ||
    [...TARGET_NAMES, ...ERA_TARGET_NAMES, ...SHARED_TARGET_NAMES].some((target) => target === name)
  );
}
