import { aliasUri } from '@mcpmux/namespace';

import {
  EACH,
  type Edit,
  JsonReader,
  type Span,
  splice,
  stringAt,
  valuePaths,
  valueSpans,
} from '@mcpmux/wire';
import type { Upstream } from '../server/upstream.js';
import type { OwnedResource } from './resource-names.js';

/** The key in a skill's `_meta` under which mcpmux stores the server's name. */
export const SERVER_KEY = 'dev.mcpmux/server';

const SKILL_FILE = '/SKILL.md';
const SKILL_PATHS = valuePaths([['uri'], ['resources', EACH, 'uri'], ['_meta']]);
const OPEN_BRACE = 0x7b;

/** A server's skill as clients see it. */
export interface SkillEntry {
  /** The skill's JSON with the server's name and, if another server has the skill's URI, with aliased URIs. */
  readonly json: Buffer;
  /** The skill, its files and its folders, by the URI that clients see. */
  readonly uris: ReadonlyMap<string, OwnedResource>;
}

/**
 * Returns a skill as clients see it, or undefined if the JSON is not a skill. Frontmatter, digests and sizes stay
 * unchanged.
 *
 * @param isInUse returns true if another server has a skill at the URI
 */
export function skillEntry(
  json: Buffer,
  upstream: Upstream,
  isInUse: (uri: string) => boolean,
): SkillEntry | undefined {
  if (json[0] !== OPEN_BRACE) return undefined;
  const values = valueSpans(json, { start: 0, end: json.length }, SKILL_PATHS);
  const uri = values.flatMap(({ path, span }) => (path === 'uri' ? [stringAt(json, span)] : [])).at(-1);
  if (uri === undefined || !uri.endsWith(SKILL_FILE)) return undefined;
  const root = uri.slice(0, -SKILL_FILE.length);
  const isAliased = isInUse(uri);
  const exposedUri = (originalUri: string): string =>
    isAliased ? aliasUri(originalUri, upstream.name) : originalUri;
  const edits: Edit[] = [...serverNameEdits(json, values, upstream.name)];
  const uris = new Map<string, OwnedResource>();
  for (const { path, span } of values) {
    const originalUri = path === '_meta' ? undefined : stringAt(json, span);
    // A file outside the skill's folder is not part of the skill, so its URI is not routed to this server.
    if (originalUri === undefined || !originalUri.startsWith(`${root}/`)) continue;
    for (const fileOrFolder of fileAndFolders(originalUri, root))
      uris.set(exposedUri(fileOrFolder), { upstream, uri: fileOrFolder });
    if (isAliased) edits.push({ span, bytes: JSON.stringify(exposedUri(originalUri)) });
  }
  return { json: splice(json, edits).subarray(0, -1), uris };
}

/** Returns the URIs of a file and its enclosing folders, up to the skill's root. */
function fileAndFolders(uri: string, root: string): readonly string[] {
  const steps = uri.slice(root.length + 1).split('/');
  return steps.map((_, depth) => [root, ...steps.slice(0, steps.length - depth)].join('/')).concat(root);
}

/** Returns the edits that add the server's name to `_meta`, which they create if it is missing. */
function serverNameEdits(
  json: Buffer,
  values: readonly { readonly path: string; readonly span: Span }[],
  server: string,
): readonly Edit[] {
  const member = `${JSON.stringify(SERVER_KEY)}:${JSON.stringify(server)}`;
  const meta = values.find(({ path }) => path === '_meta')?.span;
  // The comma is valid, because another member always follows: the object has at least a `uri`.
  if (meta === undefined) return [{ span: { start: 1, end: 1 }, bytes: `"_meta":{${member}},` }];
  if (json[meta.start] !== OPEN_BRACE) return [];
  const inside = meta.start + 1;
  const isEmpty = json[new JsonReader(json).afterSpace(inside)] === '}'.charCodeAt(0);
  return [{ span: { start: inside, end: inside }, bytes: isEmpty ? member : `${member},` }];
}
