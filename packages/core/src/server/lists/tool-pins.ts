import { askedUrl, isSecretName } from '@mcpmux/kit';
import { foldServerName } from '@mcpmux/namespace';

import type { Definition } from './definition.js';
import { definitionHash, hashOf } from './definition-hash.js';
import type { Registration } from './registration.js';
import { isRemote, isStreams, isUnusable, type AnyServerConfig } from '../config/server-config.js';

/** The reaction to a tool that differs from its first definition: none, a report, or the tool cannot be used. */
export type PinMode = 'off' | 'warn' | 'block';

/** How a tool differs from what was approved: in its definition, by being new, or by the command that offers it. */
export type PinReason = 'changed' | 'new' | 'command';

/** Tools that are not as they were approved, by the names that their server gives them. */
export type PinFindings = ReadonlyMap<string, PinReason>;

/** The findings when no tool has changed. */
export const NO_FINDINGS: PinFindings = new Map();

/** Tools remembered of one server; those that are listed come before those that were. */
const MAX_PINS_PER_SERVER = 2000;
/** Tools remembered in all: the servers that listed theirs longest ago give way. About 50 MB at the most. */
const MAX_PINS = 300_000;

/** A server by what its tools are remembered by, and what runs under its name. */
export type PinnedServer = Pick<Registration, 'name' | 'layer' | 'config' | 'pinnedAs'>;

/** The approved definitions of one server. */
interface ServerPins {
  /** Hash of the command, arguments, working directory and variables; or of the url, transport and headers. */
  readonly command: string;
  /** Hashes of definitions by hashes of names, which may be long. */
  readonly tools: ReadonlyMap<string, string>;
}

/**
 * The definitions of the tools of each server when they were first listed, or approved. Kept by the server's name and
 * layer beyond a reload or removal, for as long as the mux lives.
 */
export class ToolPins {
  private readonly servers = new Map<string, ServerPins>();
  private count = 0;

  constructor(readonly mode: PinMode) {}

  /** Compares tools with what was approved. What is seen for the first time is; in mode `warn`, so is what was told. */
  check(server: PinnedServer, tools: readonly Definition[]): PinFindings {
    if (this.mode === 'off') return NO_FINDINGS;
    const key = keyOf(server);
    const seen = pinsOf(server, tools);
    const known = this.servers.get(key);
    if (known === undefined) {
      this.keep(key, seen);
      return NO_FINDINGS;
    }
    const findings = compare(known, seen, tools);
    this.keep(key, this.mode === 'block' ? known : merged(known, seen));
    if (this.mode === 'block') return findings;
    // In a server that may change, a new tool is nothing to be told of; that it came is told anyway.
    return new Map([...findings].filter(([, reason]) => reason !== 'new'));
  }

  /** From now on the tools of this server are to be these. */
  approve(server: PinnedServer, tools: readonly Definition[]): void {
    if (this.mode !== 'off') this.keep(keyOf(server), pinsOf(server, tools));
  }

  /** Approves the tools that the server lists next. */
  forget(server: PinnedServer): void {
    this.drop(keyOf(server));
  }

  private keep(key: string, { command, tools }: ServerPins): void {
    this.drop(key);
    const kept = new Map([...tools].slice(-MAX_PINS_PER_SERVER));
    this.servers.set(key, { command, tools: kept });
    // One more for the server itself: names without tools are not free.
    this.count += kept.size + 1;
    for (const oldest of this.servers.keys()) {
      if (this.count <= MAX_PINS || oldest === key) return;
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    const known = this.servers.get(key);
    if (known === undefined) return;
    this.count -= known.tools.size + 1;
    this.servers.delete(key);
  }
}

/** The session instances of one session template must list the same tools. */
function keyOf({ name, layer, config }: PinnedServer): string {
  const pinnedIn = config.isolation === 'session' ? (layer.chain.at(-1) ?? layer) : layer;
  return pinnedIn.key(foldServerName(name));
}

function pinsOf({ config, pinnedAs = config }: PinnedServer, tools: readonly Definition[]): ServerPins {
  return {
    command: hashOf(originOf(pinnedAs)),
    tools: new Map(tools.map((tool) => [hashOf(tool.key), definitionHash(tool)])),
  };
}

/** Returns the settings that identify a server. */
function originOf(config: AnyServerConfig): readonly unknown[] {
  if (isStreams(config)) return ['streams', config.address];
  if (isUnusable(config)) return [];
  if (isRemote(config)) {
    const { url, headers = {}, transport = 'auto' } = config;
    return ['url', askedUrl(url).url, valuesOf(headers), transport];
  }
  const { command, args = [], cwd, env = {}, inheritEnv = 'all' } = config;
  return [command, args, cwd, valuesOf(env), inheritEnv];
}

/** Values decide what runs, too (`PATH`, `NODE_OPTIONS`); those of secrets do not, and change when keys are renewed. */
function valuesOf(named: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(named)
    .map(([name, value]) => (isSecretName(name) ? name : `${name}=${value}`))
    .toSorted((a, b) => (a < b ? -1 : 1));
}

/** The tools listed now, after the tools listed before: above the limit, the first ones are forgotten. */
function merged(known: ServerPins, seen: ServerPins): ServerPins {
  if (known.command !== seen.command) return seen;
  const away = [...known.tools].filter(([name]) => !seen.tools.has(name));
  return { command: seen.command, tools: new Map([...away, ...seen.tools]) };
}

function compare(known: ServerPins, seen: ServerPins, tools: readonly Definition[]): PinFindings {
  if (known.command !== seen.command) return new Map(tools.map(({ key }) => [key, 'command']));
  return new Map(
    tools.flatMap(({ key }): (readonly [string, PinReason])[] => {
      const name = hashOf(key);
      const approved = known.tools.get(name);
      if (approved === undefined) return [[key, 'new']];
      return approved === seen.tools.get(name) ? [] : [[key, 'changed']];
    }),
  );
}
