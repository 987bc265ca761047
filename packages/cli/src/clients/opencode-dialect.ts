import type { Dialect } from './dialect.js';
import { defined } from './json-object.js';
import { keptOf, withKept } from './kept-keys.js';
import { remoteUrl } from './remote-kind.js';

const CLIENT = 'opencode';

/** opencode has the command and its arguments in one list, and `environment`. */
export const opencodeDialect: Dialect = {
  toMux: (source) => {
    const { type: _, command, environment, cwd, url, headers, enabled, ...rest } = source;
    const isCommand = Array.isArray(command) && typeof command[0] === 'string';
    if (!isCommand && typeof url !== 'string') {
      return { kind: 'unusable', reason: 'it has neither a command nor a url' };
    }
    const [program, ...args]: readonly unknown[] = isCommand ? command : [];
    const entry = defined({
      command: program,
      args: args.length === 0 ? undefined : args,
      env: environment,
      cwd,
      url,
      headers,
      enabled,
    });
    return { kind: 'server', entry: withKept(entry, CLIENT, rest) };
  },
  fromMux: (entry) => {
    const { command, args, env, cwd, headers, disabled, enabled } = entry;
    const url = remoteUrl(entry);
    const isLocal = url === undefined;
    const list: readonly unknown[] = Array.isArray(args) ? args : [];
    return {
      entry: defined({
        type: isLocal ? 'local' : 'remote',
        command: isLocal ? [command, ...list] : undefined,
        environment: env,
        cwd,
        url,
        headers,
        enabled: disabled === true ? false : enabled,
        ...keptOf(entry, CLIENT),
      }),
      notes: JSON.stringify(entry).includes('${')
        ? ['opencode writes {env:NAME} for a variable: change each ${...}']
        : [],
    };
  },
};
