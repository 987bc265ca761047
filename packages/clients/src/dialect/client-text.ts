import type { Dialect } from './dialect.js';
import { mapEntry } from '../json/json-object.js';

/** Matches the start of a placeholder that only mcpmux replaces: with a file, a secret, an input or command output. */
const MUX_PLACEHOLDER = /\$\{(?=(?:file|secret|cmd|input):)/g;
const MUX_PLACEHOLDER_EXCEPT_INPUT = /\$\{(?=(?:file|secret|cmd):)/g;
const ESCAPED_MUX_PLACEHOLDER = /\$(\$\{(?:file|secret|cmd|input):)/g;

/**
 * Returns a dialect that treats mcpmux's placeholders in a client's file as plain text, as the client does. Otherwise
 * the author of an entry could make mcpmux run a command, or send the user's files or secrets to the entry's server.
 *
 * @param hasInputs - true if the client asks the user for the values of inputs
 */
export function clientTextDialect(dialect: Dialect, hasInputs: boolean): Dialect {
  const start = hasInputs ? MUX_PLACEHOLDER_EXCEPT_INPUT : MUX_PLACEHOLDER;
  return {
    toMux: (entry) =>
      dialect.toMux(mapEntry(entry, (text) => text.replaceAll(start, (found) => `$${found}`))),
    fromMux: (entry) => {
      const { entry: exported, notes } = dialect.fromMux(entry);
      return { entry: mapEntry(exported, (text) => text.replaceAll(ESCAPED_MUX_PLACEHOLDER, '$1')), notes };
    },
  };
}
