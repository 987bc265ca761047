import { createHash } from 'node:crypto';

import { isRecord } from '@mcpmux/kit';
import { fitName, type QualifiedName } from '@mcpmux/namespace';

import { type Edit, splice } from '@mcpmux/wire';
import type { Definition } from '../server/lists/definition.js';
import type { Upstream } from '../server/upstream.js';

/** Under this key of a definition's `_meta` stands its qualified name, when the name it is shown under is another one. */
export const ORIGINAL_NAME_KEY = 'dev.mcpmux/originalName';

/** One server's tool or prompt as clients see it. */
export interface ExposedDefinition {
  readonly upstream: Upstream;
  readonly definition: Definition;
  /** `{server}__{local}`. Always routes. */
  readonly qualifiedName: QualifiedName;
  /** The name in the list: the qualified name, or one fitted to what model APIs accept. Routes too. */
  readonly exposedName: string;
}

/** A server that sleeps or is being reloaded keeps its entries in the lists until it is known what becomes of them. */
export function isListed({ state, ranBefore }: Upstream): boolean {
  return state.kind === 'running' || state.kind === 'idle' || (state.kind === 'starting' && ranBefore);
}

/** True for a server whose tools are not known yet: it starts, and has no entries from before. */
export function isFirstStart(upstream: Upstream): boolean {
  return upstream.state.kind === 'starting' && !isListed(upstream);
}

/** False for one that is there and stands in no list. */
export function isShown({ definition }: ExposedDefinition): boolean {
  return definition.isHidden !== true;
}

/**
 * The name that a tool or prompt is shown under.
 *
 * @param taken names that are given out already, `qualified` itself among them; a fitted name that is one of the others
 *   is fitted again
 */
export function exposedNameFor(
  qualified: QualifiedName,
  nameBudget: number,
  taken: ReadonlySet<string>,
): string {
  for (let attempt = 0; ; attempt += 1) {
    const name = fitName(qualified, { maxLength: nameBudget, digest: sha256, attempt });
    if (name === qualified || !taken.has(name)) return name;
  }
}

/**
 * The definition as it stands in the merged list: the server's bytes with another name.
 *
 * @param further replacements beside the name
 */
export function listEntry(
  { definition, qualifiedName, exposedName }: ExposedDefinition,
  further: readonly Edit[] = [],
): Buffer {
  const edits: Edit[] = [{ span: definition.keySpan, bytes: JSON.stringify(exposedName) }, ...further];
  if (exposedName !== qualifiedName) edits.push(...originalNameEdits(definition, qualifiedName));
  // Without the newline that ends a line.
  return splice(definition.bytes, edits).subarray(0, -1);
}

/** Adds the qualified name to `_meta`, as its first member, or adds a `_meta` to the definition. */
function originalNameEdits({ bytes, meta }: Definition, qualifiedName: string): readonly Edit[] {
  const member = `${JSON.stringify(ORIGINAL_NAME_KEY)}:${JSON.stringify(qualifiedName)}`;
  if (meta === undefined) {
    // One that is no object stays as it is: with a second one, readers would differ in which of the two counts.
    if (hasMeta(bytes)) return [];
    // A definition has a name, so its object is not empty.
    return [{ span: { start: 1, end: 1 }, bytes: `"_meta":{${member}},` }];
  }
  const inside = meta.start + 1;
  const isEmpty = bytes.toString('latin1', inside, meta.end - 1).trim() === '';
  return [{ span: { start: inside, end: inside }, bytes: isEmpty ? member : `${member},` }];
}

function hasMeta(definition: Buffer): boolean {
  const item: unknown = JSON.parse(definition.toString('utf8'));
  return isRecord(item) && Object.hasOwn(item, '_meta');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
