import { quote } from '@mcpmux/kit';
import { splitQualifiedName } from '@mcpmux/namespace';
import type { CatalogSnapshot } from '../catalog-view.js';
import type { ExposedDefinition } from '../exposed-definition.js';
import type { NamedList } from '../named-list.js';
import { isStreams } from '../../server/config/server-config.js';
import type { Upstream } from '../../server/upstream.js';
import type { PinReason } from '../../server/lists/tool-pins.js';

/** The destination of a request that names a tool or a prompt. */
export type NamedRoute =
  | { readonly kind: 'forward'; readonly entry: ExposedDefinition }
  /** The server is registered but not running. */
  | { readonly kind: 'unavailable'; readonly upstream: Upstream }
  /** The name is unknown or ambiguous. The client gets a protocol error with this message. */
  | { readonly kind: 'unknown'; readonly message: string };

/** The servers and definitions among which requests are routed. */
export interface ServerDirectory {
  snapshot(): CatalogSnapshot;
  findServer(name: string): Upstream | undefined;
  serverNames(): readonly string[];
  /** True if each session runs its own instance of the server with this name. */
  isPerSession?(name: string): boolean;
  /** True if mcpmux offers the tools that connect to other mcpmux instances. */
  readonly connects?: boolean;
}

/**
 * Routes by exposed or qualified name, or else by local name if it is unique in the outermost layer that has it. MCP
 * Apps views, skills and instructions use local names.
 *
 * @param noun the kind of definition, for error messages
 */
export function routeNamed(
  name: string,
  noun: 'tool' | 'prompt',
  list: NamedList,
  directory: ServerDirectory,
): NamedRoute {
  const entry = list.byName.get(name);
  if (entry !== undefined) return routeTo(entry);
  const parts = splitQualifiedName(name);
  const server = parts === undefined ? undefined : directory.findServer(parts.server);
  if (server !== undefined && server.state.kind !== 'running')
    return { kind: 'unavailable', upstream: server };
  const namesakes = outermostEntries(list.byLocalName.get(name) ?? []);
  const [only] = namesakes;
  if (only !== undefined && namesakes.length === 1) return routeTo(only);
  const problem = `Unknown ${noun} ${quote(name)}`;
  if (namesakes.length > 1)
    return { kind: 'unknown', message: `${problem}. ${candidatesMessage(noun, namesakes)}` };
  if (server !== undefined)
    return { kind: 'unknown', message: `${problem}: ${notOnServerMessage(name, noun, server, list)}` };
  return {
    kind: 'unknown',
    message: `${problem}${noSuchServerMessage(name, parts?.server, list, directory)}`,
  };
}

/** Returns only the outermost layer's entries, because a client's own server must not override a shared one. */
function outermostEntries(entries: readonly ExposedDefinition[]): readonly ExposedDefinition[] {
  const [first] = entries;
  return entries.filter(({ upstream }) => upstream.layer === first?.upstream.layer);
}

function routeTo(entry: ExposedDefinition): NamedRoute {
  return entry.upstream.connection === undefined
    ? { kind: 'unavailable', upstream: entry.upstream }
    : { kind: 'forward', entry };
}

function candidatesMessage(noun: string, namesakes: readonly ExposedDefinition[]): string {
  const verb = noun === 'tool' ? 'call' : 'ask for';
  const names = namesakes.map(({ exposedName }) => exposedName).join(', ');
  return `Several servers have a ${noun} of that name; ${verb} one of: ${names}.`;
}

function notOnServerMessage(name: string, noun: string, server: Upstream, list: NamedList): string {
  const names = list.entriesOf(server).map(({ exposedName }) => exposedName);
  if (names.length === 0 && isSupervised(server))
    return (
      `server "${server.name}" lists no ${noun}s now. The mcpmux that runs it may be starting it again: try again in a ` +
      'moment, or call list_servers.'
    );
  return (
    `server "${server.name}" runs and has no such ${noun}. ` +
    `${suggestion(similarNames(name, names))}Call list_servers for its tools, or reload_server if it has changed.`
  );
}

function isSupervised({ config }: Upstream): boolean {
  return isStreams(config) && config.isSupervised === true;
}

function noSuchServerMessage(
  name: string,
  serverPart: string | undefined,
  { entries }: NamedList,
  directory: ServerDirectory,
): string {
  const similar = similarNames(
    name,
    entries.map(({ exposedName }) => exposedName),
  );
  if (serverPart === undefined) return `. ${suggestion(similar)}Call list_servers for all servers and tools.`;
  if (directory.isPerSession?.(serverPart) === true)
    return (
      `: server ${quote(serverPart)} has a run for each session (isolation: session), and this request has none. ` +
      'Connect over stdio, or by a revision with sessions.'
    );
  const servers = directory.serverNames();
  const known =
    servers.length === 0 ? 'No server is registered' : `Registered servers: ${servers.join(', ')}`;
  return (
    `: no server named ${quote(serverPart)} is registered. ${known}. ` +
    `${suggestion(similar)}Call add_server to add one.` +
    (directory.connects === true
      ? ' If another mcpmux instance has it, call list_instances and connect_instance.'
      : '')
  );
}

function suggestion(near: readonly string[]): string {
  return near.length === 0 ? '' : `Did you mean ${near.join(' or ')}? `;
}

/** Maximum number of names to suggest for an unknown name. */
const MAX_SIMILAR_NAMES = 5;
/** Maximum length of a name to compare, in characters. Comparing longer names would delay all clients. */
const MAX_NAME_LENGTH = 1000;

/** Returns the known names that contain the given name or occur in it, ignoring case and punctuation. */
export function similarNames(name: string, known: readonly string[]): readonly string[] {
  if (name.length > MAX_NAME_LENGTH) return [];
  const foldedName = foldName(name);
  // Every name contains the empty string, so all would match.
  if (foldedName === '') return [];
  return known
    .filter((candidate) => {
      const text = foldName(candidate);
      return text !== '' && (text.includes(foldedName) || foldedName.includes(text));
    })
    .slice(0, MAX_SIMILAR_NAMES);
}

function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The destination of a `tools/call`. */
export type ToolRoute =
  | { readonly kind: 'own'; readonly name: string }
  /** The tool is blocked until it is approved. */
  | { readonly kind: 'blocked'; readonly entry: ExposedDefinition; readonly reason: PinReason }
  | NamedRoute;

/** A {@link ServerDirectory} that also recognizes mcpmux's own tools. */
export interface ToolDirectory extends ServerDirectory {
  isOwnTool(name: string): boolean;
}

/**
 * Routes a call to one of mcpmux's own tools or to a server's tool. Looks up server tools first, because most calls use
 * them. They cannot override an own tool, because their names contain `__` and its name does not.
 */
export function routeToolCall(name: string, directory: ToolDirectory): ToolRoute {
  const { tools } = directory.snapshot();
  const entry = tools.byName.get(name);
  if (entry === undefined && directory.isOwnTool(name)) return { kind: 'own', name };
  const isUp = entry?.upstream.connection !== undefined;
  const route: NamedRoute = isUp ? { kind: 'forward', entry } : routeNamed(name, 'tool', tools, directory);
  if (route.kind !== 'forward') return route;
  const { upstream, definition } = route.entry;
  const reason = upstream.offer.blockedTools.get(definition.key);
  return reason === undefined ? route : { kind: 'blocked', entry: route.entry, reason };
}
