import type { Dialect } from './dialect.js';
import { defined, type JsonObject } from '../json/json-object.js';
import { storedKeys, withStoredKeys } from './stored-keys.js';
import { remoteKind, remoteUrl } from './remote-kind.js';

const CLIENT_ID = 'goose';
/** The types of Goose extensions that are not MCP servers. Only Goose can run them. */
const NON_MCP_TYPES: ReadonlySet<unknown> = new Set(['builtin', 'platform', 'frontend', 'inline_python']);

/** The Goose dialect. Goose calls a server an extension, and uses the keys `cmd`, `envs` and `uri`. */
export const gooseDialect: Dialect = {
  toMux: (source) => {
    const { type, cmd, args, envs, uri, headers, enabled, ...rest } = source;
    if (NON_MCP_TYPES.has(type)) {
      return { kind: 'unusable', reason: `the extension is part of Goose (${String(type)})` };
    }
    if (typeof cmd !== 'string' && typeof uri !== 'string') {
      return { kind: 'unusable', reason: 'the entry has neither a cmd nor a uri' };
    }
    const sseType = type === 'sse' ? 'sse' : undefined;
    const entry = defined({ type: sseType, command: cmd, args, env: envs, url: uri, headers, enabled });
    return { kind: 'server', entry: withStoredKeys(entry, CLIENT_ID, rest) };
  },
  fromMux: (entry) => {
    const { command, args, env, headers, disabled, enabled } = entry;
    const uri = remoteUrl(entry);
    const remoteType = remoteKind(entry) === 'sse' ? 'sse' : 'streamable_http';
    return {
      entry: defined({
        type: uri === undefined ? 'stdio' : remoteType,
        cmd: command,
        args,
        envs: env,
        uri,
        headers,
        enabled: disabled === true ? false : (enabled ?? true),
        ...storedKeys(entry, CLIENT_ID),
      }),
      notes: placeholderNotes(entry),
    };
  },
};

function placeholderNotes(entry: JsonObject): readonly string[] {
  return JSON.stringify(entry).includes('${')
    ? ['Goose does not replace ${...}: write the values instead']
    : [];
}
