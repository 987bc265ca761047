import { SEPARATOR } from './separator.js';
import { isServerName, type ServerName } from './server-name.js';

declare const localNameBrand: unique symbol;
declare const qualifiedNameBrand: unique symbol;

/**
 * The name that a server gives to a tool or prompt. It can be any text: even an empty one, or one that contains `__`.
 */
export type LocalName = string & { readonly [localNameBrand]: true };

/** `{server}__{local}`, created by {@link qualify}. Identifies one tool or prompt among all servers. */
export type QualifiedName = string & { readonly [qualifiedNameBrand]: true };

/** The two parts of a qualified name. */
export interface QualifiedNameParts {
  readonly server: ServerName;
  readonly local: LocalName;
}

/** Joins a server name and a local name. Different pairs yield different qualified names. */
export function qualify(server: ServerName, local: string): QualifiedName {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this function creates a QualifiedName
  return `${server}${SEPARATOR}${local}` as QualifiedName;
}

/**
 * Splits a name at its first `__`. The inverse of {@link qualify}.
 *
 * The first `__` is the separator, because a server name does not contain `__` and does not end in `_`. The rest,
 * including further `__`, belongs to the local name.
 *
 * @returns `undefined` if there is no `__`, or if the text before it is not a valid server name
 */
export function splitQualifiedName(text: string): QualifiedNameParts | undefined {
  const end = text.indexOf(SEPARATOR);
  if (end === -1) return undefined;
  const server = text.slice(0, end);
  if (!isServerName(server)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this function creates a LocalName
  return { server, local: text.slice(end + SEPARATOR.length) as LocalName };
}
