import type { Dialect } from './dialect.js';
import { defined, mapEntry } from '../json/json-object.js';
import { storedKeys, withStoredKeys } from './stored-keys.js';
import { hasPlaceholder, withPlaceholderStyle } from './placeholders.js';
import { remoteUrl } from './remote-kind.js';

const CLIENT_ID = 'opencode';

/** The opencode dialect. The array `command` includes the arguments, and `env` is called `environment`. */
export const opencodeDialect: Dialect = {
  toMux: (source) => {
    const { type: _, command, environment, cwd, url, headers, enabled, ...rest } = source;
    const hasCommand = Array.isArray(command) && typeof command[0] === 'string';
    if (!hasCommand && typeof url !== 'string') {
      return { kind: 'unusable', reason: 'the entry has neither a command nor a url' };
    }
    const [program, ...args]: readonly unknown[] = hasCommand ? command : [];
    const entry = mapEntry(
      defined({
        command: program,
        args: args.length === 0 ? undefined : args,
        env: environment,
        cwd,
        url,
        headers,
        enabled,
      }),
      (text) => text.replaceAll(OPENCODE_PLACEHOLDER, '$${$1}'),
    );
    return { kind: 'server', entry: withStoredKeys(entry, CLIENT_ID, rest) };
  },
  fromMux: (entry) => {
    const { command, args, env, cwd, headers, disabled, enabled } = entry;
    const url = remoteUrl(entry);
    const isLocal = url === undefined;
    const argumentList: readonly unknown[] = Array.isArray(args) ? args : [];
    const exportedEntry = mapEntry(
      defined({
        type: isLocal ? 'local' : 'remote',
        command: isLocal ? [command, ...argumentList] : undefined,
        environment: env,
        cwd,
        url,
        headers,
        enabled: disabled === true ? false : enabled,
      }),
      toOpencodeStyle,
    );
    const hasUnsupportedPlaceholder = hasPlaceholder(JSON.stringify(exportedEntry));
    const isTextOmitted = ESCAPED_PLACEHOLDER.test(JSON.stringify(entry));
    return {
      entry: { ...exportedEntry, ...storedKeys(entry, CLIENT_ID) },
      notes: [
        ...(hasUnsupportedPlaceholder
          ? ['opencode does not replace the remaining ${...}: write the values instead']
          : []),
        ...(isTextOmitted ? ['opencode would replace {file:...} in a text: the text is left out'] : []),
      ],
    };
  },
};

/** Matches an escaped placeholder. opencode has no syntax to escape one. */
const ESCAPED_PLACEHOLDER = /\$\$\{(?:env|file):/;
const OPENCODE_PLACEHOLDER = /\{((?:env|file):[^{}]+)\}/g;

/** Converts placeholders to opencode's style, such as `{env:VAR}`. Returns '' if the text has an escaped one. */
function toOpencodeStyle(text: string): string {
  if (ESCAPED_PLACEHOLDER.test(text)) return '';
  return withPlaceholderStyle(text, 'prefixed').replaceAll(
    /\$\{((?:env:[A-Za-z_]\w*|file:[^{}]+))\}/g,
    '{$1}',
  );
}
