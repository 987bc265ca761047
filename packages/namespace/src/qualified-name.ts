import { SEPARATOR } from './separator.js';
import { isServerName, type ServerName } from './server-name.js';

declare const localNameBrand: unique symbol;
declare const qualifiedNameBrand: unique symbol;

/** The name a server itself gives to a tool or prompt. Any text: empty, leading `_` and `__` included. */
export type LocalName = string & { readonly [localNameBrand]: true };

/** `{server}__{local}`, made by {@link qualify}: names one tool or prompt among those of all servers. */
export type QualifiedName = string & { readonly [qualifiedNameBrand]: true };

/** The two halves of a qualified name. */
export interface QualifiedNameParts {
  readonly server: ServerName;
  readonly local: LocalName;
}

/** Joins a server's name and a local name. Distinct pairs give distinct qualified names. */
export function qualify(server: ServerName, local: string): QualifiedName {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that makes a QualifiedName
  return `${server}${SEPARATOR}${local}` as QualifiedName;
}

/**
 * Splits a name at its first `__`: the inverse of {@link qualify}.
 *
 * The first is the right one because a server name holds no `__` and does not end in `_`, so the rest,
 * further `__` included, belongs to the local name.
 *
 * @returns `undefined` when there is no `__`, or when no server can have the name before it
 */
export function splitQualifiedName(text: string): QualifiedNameParts | undefined {
  const end = text.indexOf(SEPARATOR);
  if (end === -1) return undefined;
  const server = text.slice(0, end);
  if (!isServerName(server)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that makes a LocalName
  return { server, local: text.slice(end + SEPARATOR.length) as LocalName };
}
