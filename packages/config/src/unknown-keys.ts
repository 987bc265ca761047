import { isObject, type JsonObject } from '@mcpmux/clients';

import type { ConfigProblem } from './config-problem.js';
import type { Report, SettingPath } from './config-text.js';
import { configSchema, serverSchema, urlSetting } from './config-schema.js';
import { muxSettings, toolSettingsSchema } from './mux-settings.js';
import { didYouMean, suggest } from './suggest.js';

/** The server keys that mcpmux uses. */
const SERVER_KEYS: readonly string[] = Object.keys(serverSchema.shape);

/** The server keys that concern only the client, such as approval and display. They cause no warning. */
const CLIENT_KEYS: ReadonlySet<string> = new Set([
  'alwaysAllow',
  'alwaysLoad',
  'authProviderType',
  'autoApprove',
  'description',
  'dev',
  'displayName',
  'gallery',
  'headersHelper',
  'icon',
  'id',
  'name',
  'oauth',
  'source',
  'timeout',
  'trust',
  'version',
  'watchPaths',
]);

/** The keys of a server's `mux` settings. */
export const MUX_KEYS: readonly string[] = Object.keys(muxSettings.shape);

const TOOL_KEYS: readonly string[] = Object.keys(toolSettingsSchema.shape);

/** The top-level keys that mcpmux uses. */
const TOP_KEYS: readonly string[] = Object.keys(configSchema.shape);
/** The top-level keys that belong to a client. They cause no warning. */
const CLIENT_TOP_KEYS: ReadonlySet<string> = new Set(['inputs', 'mcp']);

/** How many levels below a top-level key to search for servers. */
const MAX_LEVELS = 3;

/** Warns once about each key that mcpmux does not use, at its first occurrence. */
export class UnknownKeys {
  private readonly warningsById = new Map<string, ConfigProblem>();

  constructor(private readonly report: Report) {}

  get warnings(): readonly ConfigProblem[] {
    return [...this.warningsById.values()];
  }

  checkTopLevel(config: JsonObject): void {
    for (const [key, value] of Object.entries(config)) {
      if (TOP_KEYS.includes(key)) continue;
      const message = suggest(key, TOP_KEYS) === undefined ? misplacedMessage(value) : undefined;
      if (message !== undefined) this.warningsById.set(`top:${key}`, this.report('error', [key], message));
      else if (!CLIENT_TOP_KEYS.has(key)) this.addWarning([key], TOP_KEYS);
    }
  }

  checkServer(path: SettingPath, server: JsonObject): void {
    for (const key of Object.keys(server)) {
      if (!SERVER_KEYS.includes(key) && !CLIENT_KEYS.has(key)) this.addWarning([...path, key], SERVER_KEYS);
    }
    const { mux } = server;
    for (const key of objectKeys(mux)) {
      if (!MUX_KEYS.includes(key)) this.addWarning([...path, 'mux', key], MUX_KEYS);
    }
    const tools = isObject(mux) ? mux['tools'] : undefined;
    for (const [tool, settings] of Object.entries(isObject(tools) ? tools : {})) {
      for (const key of objectKeys(settings)) {
        if (!TOOL_KEYS.includes(key)) this.addWarning([...path, 'mux', 'tools', tool, key], TOOL_KEYS);
      }
    }
  }

  private addWarning(path: SettingPath, known: readonly string[]): void {
    const hint = didYouMean(String(path.at(-1)), known);
    const isInMux = path.at(-2) === 'mux';
    const id = `${path.length === 1 ? 'top' : ''}${isInMux ? 'mux' : ''}:${path.at(-1)}`;
    const message = `unknown key, ignored${hint === '' ? '' : `.${hint}`}`;
    if (!this.warningsById.has(id)) this.warningsById.set(id, this.report('warning', path, message));
  }
}

/** Returns an error message if a value is a server or contains servers, because mcpmux does not read them there. */
function misplacedMessage(value: unknown): string | undefined {
  if (isServer(value)) return 'a server belongs into "mcpServers"';
  if (!containsServers(value, MAX_LEVELS)) return undefined;
  return 'servers belong into "mcpServers"; for the file of another client: mcpmux import CLIENT --from FILE';
}

/**
 * True if a value contains servers. Clients store servers under their own keys, in objects or lists, such as
 * `mcp.servers` and `projects.PATH.mcpServers`.
 */
function containsServers(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || levels === 0) return false;
  return Object.values(value).some((inner) => isServer(inner) || containsServers(inner, levels - 1));
}

function isServer(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { command, cmd } = value;
  return (
    isString(command) ||
    isString(cmd) ||
    (Array.isArray(command) && isString(command[0])) ||
    urlSetting(value) !== undefined
  );
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

function objectKeys(value: unknown): readonly string[] {
  return isObject(value) ? Object.keys(value) : [];
}
