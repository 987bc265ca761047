import type { Dialect } from './dialect.js';
import { defined, mapEntry } from '../json/json-object.js';
import { retainedOf, withKept } from './kept-keys.js';
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
    return { kind: 'server', entry: withKept(entry, CLIENT, rest) };
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
    const isLeft = hasPlaceholder(JSON.stringify(exported));
    const isCut = PLAIN_TEXT.test(JSON.stringify(entry));
    return {
      entry: { ...exported, ...retainedOf(entry, CLIENT) },
      notes: [
        ...(isLeft ? ['opencode does not replace the remaining ${...}: write the values instead'] : []),
        ...(isCut ? ['opencode would replace {file:...} in a text: the text is left out'] : []),
      ],
    };
  },
};

/** A text that looks like a placeholder and is none. opencode has no way to write one. */
const PLAIN_TEXT = /\$\$\{(?:env|file):/;
const OWN_PLACEHOLDER = /\{((?:env|file):[^{}]+)\}/g;

/** Converts `${VAR}` and `${env:VAR}` to opencode's `{env:VAR}`. */
function inOwnStyle(text: string): string {
  if (PLAIN_TEXT.test(text)) return '';
  return inStyle(text, 'prefixed').replaceAll(/\$\{((?:env:[A-Za-z_]\w*|file:[^{}]+))\}/g, '{$1}');
}
