import type { Dialect } from './dialect.js';
import { defined, isObject, type JsonObject } from '../json/json-object.js';
import { keptOf, withKept } from './kept-keys.js';
import { remoteUrl } from './remote-kind.js';

const CLIENT = 'zed';

/** Zed marks servers of a person with `source: "custom"`; its older form has an object as command. */
export const zedDialect: Dialect = {
  toMux: (source) => {
    const { command, args, env, url, headers, enabled, ...rest } = source;
    const old = isObject(command) ? command : undefined;
    const program = old === undefined ? command : old['path'];
    if (typeof program !== 'string' && typeof url !== 'string') {
      return { kind: 'unusable', reason: 'an extension of Zed runs it' };
    }
    const environment = old === undefined ? env : objectOf(old['env']);
    const entry = defined({
      command: program,
      args: old === undefined ? args : old['args'],
      env: environment,
      url,
      headers,
      enabled,
    });
    return { kind: 'server', entry: withKept(entry, CLIENT, rest) };
  },
  fromMux: (entry) => {
    const { command, args, env, headers, disabled, enabled } = entry;
    const kept = keptOf(entry, CLIENT);
    const isFromZed = Object.keys(kept).length > 0;
    const url = remoteUrl(entry);
    return {
      entry: defined({
        ...(!isFromZed && url === undefined && { source: 'custom' }),
        ...kept,
        command,
        args,
        env,
        url,
        headers,
        enabled: disabled === true ? false : enabled,
      }),
      notes: JSON.stringify(entry).includes('${')
        ? ['Zed replaces no ${...}: write the values themselves']
        : [],
    };
  },
};

/** Zed writes `null` where there is none. */
function objectOf(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}
