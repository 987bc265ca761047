import type { Dialect } from './dialect.js';
import { defined, mapEntry } from '../json/json-object.js';
import { storedKeys, withStoredKeys } from './stored-keys.js';
import { hasPlaceholder, inStyle } from './placeholders.js';
import { remoteUrl } from './remote-kind.js';

const CLIENT = 'opencode';

/**
 * The opencode dialect. opencode stores the command and its arguments in one list, and calls the variables
 * `environment`.
 */
export const opencodeDialect: Dialect = {
  toMux: (source) => {
    const { type: _, command, environment, cwd, url, headers, enabled, ...rest } = source;
    const isCommand = Array.isArray(command) && typeof command[0] === 'string';
    if (!isCommand && typeof url !== 'string') {
      return { kind: 'unusable', reason: 'the entry has neither a command nor a url' };
    }
    const [program, ...args]: readonly unknown[] = isCommand ? command : [];
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
      (text) => text.replaceAll(OWN_PLACEHOLDER, '$${$1}'),
    );
    return { kind: 'server', entry: withStoredKeys(entry, CLIENT, rest) };
  },
  fromMux: (entry) => {
    const { command, args, env, cwd, headers, disabled, enabled } = entry;
    const url = remoteUrl(entry);
    const isLocal = url === undefined;
    const list: readonly unknown[] = Array.isArray(args) ? args : [];
    const exported = mapEntry(
      defined({
        type: isLocal ? 'local' : 'remote',
        command: isLocal ? [command, ...list] : undefined,
        environment: env,
        cwd,
        url,
        headers,
        enabled: disabled === true ? false : enabled,
      }),
      inOwnStyle,
    );
    const isIncomplete = hasPlaceholder(JSON.stringify(exported));
    const isTextOmitted = PLAIN_TEXT.test(JSON.stringify(entry));
    return {
      entry: { ...exported, ...storedKeys(entry, CLIENT) },
      notes: [
        ...(isIncomplete ? ['opencode does not replace the remaining ${...}: write the values instead'] : []),
        ...(isTextOmitted ? ['opencode would replace {file:...} in a text: the text is left out'] : []),
      ],
    };
  },
};

/** Matches an escaped placeholder, which is plain text that opencode cannot represent. */
const PLAIN_TEXT = /\$\$\{(?:env|file):/;
const OWN_PLACEHOLDER = /\{((?:env|file):[^{}]+)\}/g;

/** Converts `${VAR}` and `${env:VAR}` to opencode's `{env:VAR}`. */
function inOwnStyle(text: string): string {
  if (PLAIN_TEXT.test(text)) return '';
  return inStyle(text, 'prefixed').replaceAll(/\$\{((?:env:[A-Za-z_]\w*|file:[^{}]+))\}/g, '{$1}');
}
