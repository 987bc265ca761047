import type { Dialect } from './dialect.js';
import { mapEntry } from '../json/json-object.js';

/** Matches the start of mcpmux's file, secret, command and input placeholders. VS Code also replaces inputs. */
const MUX_PLACEHOLDER = /\$\{(?=(?:file|secret|cmd|input):)/g;
const MUX_PLACEHOLDER_EXCEPT_INPUT = /\$\{(?=(?:file|secret|cmd):)/g;
const ESCAPED_MUX_PLACEHOLDER = /\$(\$\{(?:file|secret|cmd|input):)/g;

/**
 * Returns a dialect that treats mcpmux's placeholders in a client's file as plain text, as the client does. If mcpmux
 * replaced them, an entry's author could make it run a command, or send the user's files or secrets to the server.
 *
 * @param hasInputs - true if the client prompts the user for input values
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
