import type { Dialect } from './dialect.js';
import { defined, isObject, type JsonObject } from '../json/json-object.js';
import { storedKeys, withStoredKeys } from './stored-keys.js';
import { remoteUrl } from './remote-kind.js';

const CLIENT_ID = 'zed';

/** The Zed dialect. `source: "custom"` marks a server that the user added. In older files, `command` is an object. */
export const zedDialect: Dialect = {
  toMux: (source) => {
    const { command, args, env, url, headers, enabled, ...rest } = source;
    const legacyCommand = isObject(command) ? command : undefined;
    const program = legacyCommand === undefined ? command : legacyCommand['path'];
    if (typeof program !== 'string' && typeof url !== 'string') {
      return { kind: 'unusable', reason: 'an extension of Zed runs the server' };
    }
    const environment = legacyCommand === undefined ? env : objectOrUndefined(legacyCommand['env']);
    const entry = defined({
      command: program,
      args: legacyCommand === undefined ? args : legacyCommand['args'],
      env: environment,
      url,
      headers,
      enabled,
    });
    return { kind: 'server', entry: withStoredKeys(entry, CLIENT_ID, rest) };
  },
  fromMux: (entry) => {
    const { command, args, env, headers, disabled, enabled } = entry;
    const stored = storedKeys(entry, CLIENT_ID);
    const isFromZed = Object.keys(stored).length > 0;
    const url = remoteUrl(entry);
    return {
      entry: defined({
        ...(!isFromZed && url === undefined && { source: 'custom' }),
        ...stored,
        command,
        args,
        env,
        url,
        headers,
        enabled: disabled === true ? false : enabled,
      }),
      notes: JSON.stringify(entry).includes('${')
        ? ['Zed does not replace ${...}: write the values instead']
        : [],
    };
  },
};

/** Converts `null`, which Zed writes for an absent object, to undefined. */
function objectOrUndefined(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}
