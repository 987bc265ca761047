import { createHash } from 'node:crypto';

import { askedUrl, isSecretName, isRecord } from '@mcpmux/kit';
import { foldServerName } from '@mcpmux/namespace';
import type { Definition } from './definition.js';
import type { Registration } from './registration.js';
import { isRemote, isStreams, isUnusable, type AnyServerConfig } from '../config/server-config.js';

/** How to react to a tool that differs from its first definition: ignore it, warn, or block the tool. */
export type PinMode = 'off' | 'warn' | 'block';

/** Why a tool differs from its approved state: its definition changed, it is new, or its server's command changed. */
export type PinReason = 'changed' | 'new' | 'command';

/** The tools that differ from their approved state, by local name. */
export type PinFindings = ReadonlyMap<string, PinReason>;

/** The findings when no tool has changed. */
export const NO_FINDINGS: PinFindings = new Map();

/** The maximum number of tools to remember per server. Tools in the current list take precedence. */
const MAX_PINS_PER_SERVER = 2000;
/** The maximum number of tools to remember (about 50 MB). Servers whose last listing is oldest are evicted first. */
const MAX_PINS = 300_000;

/** The properties that identify a server's pins. */
export type PinnedServer = Pick<Registration, 'name' | 'layer' | 'config' | 'pinnedAs'>;

/** One server's approved definitions. */
interface ServerPins {
  /** A hash of the command, arguments, working directory and variables, or of the URL, transport and headers. */
  readonly commandHash: string;
  /** Hashes of the definitions, by hashes of the tools' names, which may be long. */
  readonly toolHashes: ReadonlyMap<string, string>;
}

/**
 * The definitions that each server's tools had when they were first listed or approved, by the server's name and layer.
 * They outlive a reload or removal of the server, and last as long as the mux.
 */
export class ToolPins {
  private readonly servers = new Map<string, ServerPins>();
  private pinCount = 0;

  constructor(readonly mode: PinMode) {}

  /**
   * Compares tools with their approved definitions. Approves a server's first list. In `warn` mode, also approves each
   * later definition, so that each change is found only once.
   */
  check(server: PinnedServer, tools: readonly Definition[]): PinFindings {
    if (this.mode === 'off') return NO_FINDINGS;
    const key = keyOf(server);
    const currentPins = pinsOf(server, tools);
    const approvedPins = this.servers.get(key);
    if (approvedPins === undefined) {
      this.storePins(key, currentPins);
      return NO_FINDINGS;
    }
    const findings = findingsBetween(approvedPins, currentPins, tools);
    this.storePins(key, this.mode === 'block' ? approvedPins : mergePins(approvedPins, currentPins));
    if (this.mode === 'block') return findings;
    // In `warn` mode, new tools are not findings, because mcpmux announces the changed list anyway.
    return new Map([...findings].filter(([, reason]) => reason !== 'new'));
  }

  /** Approves the given tools of a server. */
  approve(server: PinnedServer, tools: readonly Definition[]): void {
    if (this.mode !== 'off') this.storePins(keyOf(server), pinsOf(server, tools));
  }

  /** True if a server has approved definitions. */
  hasPins(server: PinnedServer): boolean {
    return this.servers.has(keyOf(server));
  }

  /** Approves the tools of a server that have no approved definition. Changed tools stay unapproved. */
  approveNewTools(server: PinnedServer, tools: readonly Definition[]): void {
    const approvedPins = this.servers.get(keyOf(server));
    const currentPins = pinsOf(server, tools);
    if (approvedPins?.commandHash !== currentPins.commandHash) return;
    const latest = [...currentPins.toolHashes].map(
      ([name, hash]) => [name, approvedPins.toolHashes.get(name) ?? hash] as const,
    );
    this.storePins(keyOf(server), mergePins(approvedPins, { ...currentPins, toolHashes: new Map(latest) }));
  }

  /** Drops the approved definitions. The tools that the server lists next count as approved. */
  forget(server: PinnedServer): void {
    this.dropPins(keyOf(server));
  }

  private storePins(key: string, { commandHash, toolHashes }: ServerPins): void {
    this.dropPins(key);
    const latest = new Map([...toolHashes].slice(-MAX_PINS_PER_SERVER));
    this.servers.set(key, { commandHash, toolHashes: latest });
    // Each server counts as one more pin, because even a server without tools uses memory.
    this.pinCount += latest.size + 1;
    for (const oldestKey of this.servers.keys()) {
      if (this.pinCount <= MAX_PINS || oldestKey === key) return;
      this.dropPins(oldestKey);
    }
  }

  private dropPins(key: string): void {
    const droppedPins = this.servers.get(key);
    if (droppedPins === undefined) return;
    this.pinCount -= droppedPins.toolHashes.size + 1;
    this.servers.delete(key);
  }
}

/** Returns a server's key. All session instances of a template have the same key, so they must list the same tools. */
function keyOf({ name, layer, config }: PinnedServer): string {
  const pinnedIn = config.isolation === 'session' ? (layer.chain.at(-1) ?? layer) : layer;
  return pinnedIn.keyFor(foldServerName(name));
}

function pinsOf({ config, pinnedAs = config }: PinnedServer, tools: readonly Definition[]): ServerPins {
  return {
    commandHash: hashOf(originOf(pinnedAs)),
    toolHashes: new Map(tools.map((tool) => [hashOf(tool.key), definitionHash(tool)])),
  };
}

/** Two hashes that together identify a tool and its definition. */
export interface ToolIdentity {
  /** A hash of the server's name and layer, its command or URL, its sandbox, and the tool's fixed arguments. */
  readonly server: string;
  /** A hash of the definition, independent of the order of its members. */
  readonly definition: string;
}

/** Returns the identity of a tool as its server currently lists it. */
export function toolIdentity(server: PinnedServer, tool: Definition): ToolIdentity {
  const { config, pinnedAs = config } = server;
  const sandbox = 'sandbox' in pinnedAs ? pinnedAs.sandbox : undefined;
  const set = [...(tool.shape?.arguments ?? [])];
  const origin = [keyOf(server), originOf(pinnedAs), sandbox, set];
  return { server: hashOf(origin), definition: definitionHash(tool) };
}

/** Returns the settings that identify a server. */
function originOf(config: AnyServerConfig): readonly unknown[] {
  if (isStreams(config)) return ['streams', config.address];
  if (isUnusable(config)) return [];
  if (isRemote(config)) {
    const { url, headers = {}, transport = 'auto' } = config;
    return ['url', askedUrl(url).url, namedValues(headers), transport];
  }
  const { command, args = [], cwd, env = {}, inheritEnv = 'all' } = config;
  return [command, args, cwd, namedValues(env), inheritEnv];
}

/**
 * Returns each variable's name with its value, because values such as `PATH` determine what runs. Omits the values of
 * secrets, which do not determine what runs and change when they are renewed.
 */
function namedValues(named: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(named)
    .map(([name, value]) => (isSecretName(name) ? name : `${name}=${value}`))
    .toSorted((a, b) => (a < b ? -1 : 1));
}

/** Merges the tools. Unlisted tools come first, because eviction begins with the first ones. */
function mergePins(known: ServerPins, current: ServerPins): ServerPins {
  if (known.commandHash !== current.commandHash) return current;
  const unlisted = [...known.toolHashes].filter(([name]) => !current.toolHashes.has(name));
  return { commandHash: current.commandHash, toolHashes: new Map([...unlisted, ...current.toolHashes]) };
}

function findingsBetween(known: ServerPins, current: ServerPins, tools: readonly Definition[]): PinFindings {
  if (known.commandHash !== current.commandHash) return new Map(tools.map(({ key }) => [key, 'command']));
  return new Map(
    tools.flatMap(({ key }): (readonly [string, PinReason])[] => {
      const name = hashOf(key);
      const approvedHash = known.toolHashes.get(name);
      if (approvedHash === undefined) return [[key, 'new']];
      return approvedHash === current.toolHashes.get(name) ? [] : [[key, 'changed']];
    }),
  );
}

/** The members of a definition that models or clients use. Changes to icons or `_meta` do not count. */
const PINNED_MEMBERS = [
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
] as const;
/**
 * The number of characters in a hash. It has 132 bits, so that an attacker cannot find definitions with equal hashes.
 */
const HASH_LENGTH = 22;

/** Returns the hash of a tool's definition, independent of the order of its members. */
export function definitionHash({ bytes }: Definition): string {
  const tool: unknown = JSON.parse(bytes.toString('utf8'));
  return hashOf(PINNED_MEMBERS.map((member) => (isRecord(tool) ? tool[member] : undefined)));
}

/** Returns the hash of a JSON value, independent of the order of its members. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url').slice(0, HASH_LENGTH);
}

function canonicalJson(value: unknown): string {
  // Members are serialized one by one, so that a member named `toJSON` or `__proto__` has no special effect.
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null?';
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(',')}}`;
}
