import { dirname } from 'node:path';

import type { ViewRule } from './file-view.js';
import { isWithin } from './paths.js';
import type { NetworkReach } from './settings.js';
import { sightOf } from './sight-of.js';

/** The properties of a sandbox by which mcpmux recognizes a denied access. */
export interface RefusalContext {
  readonly view: readonly ViewRule[];
  readonly reach: NetworkReach;
}

/** The accesses that a sandbox denied, according to a program's output. */
export interface Refusals {
  /** Paths to which the program could not write. */
  readonly unwrittenPaths: readonly string[];
  /** Hidden paths that the program tried to access. */
  readonly hiddenPaths: readonly string[];
  /** Paths that contain secrets. The error suggests no setting that exposes them: the server wrote the output. */
  readonly secretPaths: readonly string[];
  /** Host names that the program could not reach. An empty string means that the output does not name the host. */
  readonly hosts: readonly string[];
}

const NOT_WRITABLE = /\bEROFS\b|read-only file ?system/i;
const NOT_PERMITTED = /\bE(?:ACCES|PERM)\b|permission denied|operation not permitted/i;
const NOT_FOUND = /\bENOENT\b|no such file|cannot find module|can't open file/i;
/** Matches an absolute path that is quoted, or that ends at a space, a colon or a bracket. */
const PATH_PATTERN = /(["'`])(\/(?:(?!["'`]).)+)["'`]|(?<![\w./:-])(\/[^\s:,;()'"`]+)/g;

const NETWORK_FAILURE =
  /\bE(?:AI_AGAIN|NOTFOUND|NETUNREACH)\b|network is unreachable|could not resolve|name resolution|name or service not known|dns error|failed to lookup address|no such host|blocked by network allowlist|\bENOTCACHED\b|network was disabled|tunnel failed, response 403/i;
/** Matches a line that may contain the address of a failed connection. The reason may be on another line. */
const CONNECTION_ATTEMPT = /failed to fetch|request (?:to|for)|connect to/i;
const HOST_PATTERN =
  /https?:\/\/([\w.-]+)|(?:EAI_AGAIN|ENOTFOUND|resolve(?: host)?:?|lookup) ([\w-]+(?:\.[\w-]+)+)/gi;

/** Finds accesses that a sandbox denied, in a program's output. */
export function findRefusals(lines: readonly string[], { view, reach }: RefusalContext): Refusals {
  const [unwrittenPaths, hiddenPaths, hosts] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const line of lines) {
    for (const path of pathsIn(line)) {
      const sight = sightOf(path, view);
      if (isFailedWrite(line) && sight === 'read-only') unwrittenPaths.add(path);
      else if (NOT_PERMITTED.test(line) && sight === 'hidden') hiddenPaths.add(path);
      else if (NOT_FOUND.test(line) && sight === 'empty') hiddenPaths.add(path);
    }
  }
  if (reach !== 'all' && lines.some((line) => NETWORK_FAILURE.test(line))) {
    const attemptLines = lines.filter((line) => NETWORK_FAILURE.test(line) || CONNECTION_ATTEMPT.test(line));
    for (const host of attemptLines.flatMap(hostsIn)) hosts.add(host);
  }
  const wide = parentFolders([...unwrittenPaths]).filter((folder) => holdsSecrets(folder, view));
  const secrets = [...hiddenPaths].filter((path) => sightOf(path, view) === 'hidden');
  const namedHosts = [...hosts].filter((host) => host !== '');
  return {
    unwrittenPaths: [...unwrittenPaths],
    hiddenPaths: [...hiddenPaths],
    secretPaths: [...new Set([...wide, ...secrets])],
    hosts: namedHosts.length === 0 ? [...hosts] : namedHosts,
  };
}

function holdsSecrets(folder: string, view: readonly ViewRule[]): boolean {
  return view.some(({ path, sight }) => sight === 'hidden' && isWithin(path, folder));
}

/** True for a failed write to a read-only folder. Programs often report "not found" for a folder they cannot create. */
function isFailedWrite(line: string): boolean {
  return NOT_WRITABLE.test(line) || (NOT_FOUND.test(line) && /\bmkdir\b/.test(line));
}

function pathsIn(line: string): readonly string[] {
  if (!NOT_WRITABLE.test(line) && !NOT_PERMITTED.test(line) && !NOT_FOUND.test(line)) return [];
  const paths = [...line.matchAll(PATH_PATTERN)].map(([, , quoted, bare]) => quoted ?? bare ?? '');
  const found = paths.map((path) => path.replace(/[.,]$/, '')).filter((path) => path.length > 1);
  // The line starts with the path of the reporting program, which must be skipped.
  return found.length > 1 && line.trimStart().startsWith(`${found[0]}:`) ? found.slice(1) : found;
}

function hostsIn(line: string): readonly string[] {
  const hosts = [...line.matchAll(HOST_PATTERN)].map(([, ofUrl, ofText]) => ofUrl ?? ofText ?? '');
  return hosts.length === 0 ? [''] : hosts;
}

/** The maximum number of items in each list of an error message. */
const MAX_LISTED_ITEMS = 5;

/**
 * Returns sentences for an error message: the accesses that a sandbox denied, and the setting that would allow them.
 * Returns undefined if there were none.
 */
export function explainRefusals(refusals: Refusals): string | undefined {
  const { unwrittenPaths, hiddenPaths, hosts, secretPaths } = refusals;
  const what = [
    ...refusalTexts('to write', unwrittenPaths),
    ...refusalTexts('to read', hiddenPaths),
    ...(hosts.length === 0 ? [] : [hosts[0] === '' ? 'the network' : `the network: ${joinItems(hosts)}`]),
  ];
  if (what.length === 0) return undefined;
  const secrets =
    secretPaths.length === 0 ? '' : ` No line is offered for places with secrets: ${joinItems(secretPaths)}.`;
  return `Its sandbox refused ${what.join('; ')}, according to its stderr.${settingAdvice(refusals)}${secrets}`;
}

/** Returns sentences with the setting that would allow the denied accesses, or an empty string if there is none. */
function settingAdvice({ unwrittenPaths, hiddenPaths, hosts, secretPaths }: Refusals): string {
  const isOffered = (path: string): boolean => !secretPaths.includes(path);
  const [allowWrite, allowRead] = [
    parentFolders(unwrittenPaths).filter(isOffered),
    hiddenPaths.filter(isOffered),
  ];
  const filesystem = {
    ...(allowWrite.length > 0 && { allowWrite: allowWrite.slice(0, MAX_LISTED_ITEMS) }),
    ...(allowRead.length > 0 && { allowRead: allowRead.slice(0, MAX_LISTED_ITEMS) }),
  };
  const line = {
    ...(Object.keys(filesystem).length > 0 && { filesystem }),
    ...(hosts.length > 0 && { network: true }),
  };
  if (Object.keys(line).length === 0) return '';
  const domains =
    hosts.length === 0 || hosts[0] === ''
      ? ''
      : ` For these domains alone, with the sandbox runtime installed: "network": ${spacedJson({ allowedDomains: hosts.slice(0, MAX_LISTED_ITEMS) })}.`;
  return ` This line in its entry allows it: "sandbox": ${spacedJson(line)}.${domains}`;
}

/** Inserts a space after each colon and comma of JSON text, except in strings. */
function spacedJson(value: object): string {
  return JSON.stringify(value).replaceAll(/"(?:[^"\\]|\\.)*"|[:,]/g, (part) =>
    part.length === 1 ? `${part} ` : part,
  );
}

function refusalTexts(verb: string, paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? [] : [`${verb} ${joinItems(paths)}`];
}

function joinItems(items: readonly string[]): string {
  const more = items.length - MAX_LISTED_ITEMS;
  return `${items.slice(0, MAX_LISTED_ITEMS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Returns the folders of the files that could not be written. To create files, programs need writable folders. */
function parentFolders(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map((path) => dirname(path)))];
}
