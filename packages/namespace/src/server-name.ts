import { NamespaceError } from './errors.js';
import { quote, UNPRINTABLE } from './quote.js';
import { SEPARATOR } from './separator.js';

declare const serverNameBrand: unique symbol;

/** A valid server name. Only {@link parseServerName} creates one. */
export type ServerName = string & { readonly [serverNameBrand]: true };

/** The maximum length of a server name, in UTF-16 code units (like `String.prototype.length`). */
export const MAX_SERVER_NAME_LENGTH = 64;

/** The name that mcpmux uses for itself in questions, logs and audit records. No server may have it. */
const RESERVED_NAME = 'mcpmux';

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Checks that a text is a valid server name.
 *
 * `__` is refused because it ends the server's part of a qualified name. A trailing `_` is refused because `a_` + `__`
 * + `b` would be parsed as `a` + `__` + `_b`. Letters and symbols of every script are valid.
 *
 * @throws NamespaceError with code `INVALID_SERVER_NAME`; each rule has its own message
 */
export function parseServerName(text: string): ServerName {
  const fault = faultMessage(text);
  if (fault !== undefined) throw new NamespaceError('INVALID_SERVER_NAME', fault);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this function creates a ServerName
  return text as ServerName;
}

/** True if {@link parseServerName} would accept the text. Cheaper than catching its error. */
export function isServerName(text: string): text is ServerName {
  return faultMessage(text) === undefined;
}

/**
 * Returns a key that is equal for server names that are treated as the same. `Git`, `git` and `ｇit` all give `git`.
 *
 * Compatibility forms (NFKC) and letter case are folded. Lower-casing can produce a base letter and an accent that have
 * a composed form, so the key is normalized again. The key is only for comparison and may not be a valid server name.
 */
export function foldServerName(name: string): string {
  return name.normalize('NFKC').toLowerCase().normalize('NFKC');
}

function faultMessage(text: string): string | undefined {
  if (text === '') return 'The server name is empty. Give the server a name, for example "github".';
  const problem = problemOf(text);
  return problem === undefined ? undefined : `The server name ${quote(text)} ${problem}`;
}

function problemOf(text: string): string | undefined {
  if (text.length > MAX_SERVER_NAME_LENGTH) {
    return `has ${text.length} characters. Use at most ${MAX_SERVER_NAME_LENGTH}.`;
  }
  if (LONE_SURROGATE.test(text)) return 'holds half of a surrogate pair. Use complete characters only.';
  if (UNPRINTABLE.test(text)) {
    return 'holds a control character. Use visible characters only: no line breaks, tabs, escape sequences or text-direction overrides.';
  }
  if (text.trim() !== text) return 'begins or ends with white space. Remove it.';
  if (text.includes(SEPARATOR)) {
    return `holds "${SEPARATOR}", which separates a server's name from a tool's. Use a single "_" or "-" instead.`;
  }
  if (text.endsWith('_')) {
    return `ends in "_", so its end could not be told from the "${SEPARATOR}" that follows it in tool names. Remove the trailing "_".`;
  }
  // Compatibility forms of a letter have at most two code units, so a longer text cannot be the reserved name.
  if (text.length <= 2 * RESERVED_NAME.length && foldServerName(text) === RESERVED_NAME)
    return 'is reserved for mcpmux itself. Choose another name.';
  return undefined;
}
