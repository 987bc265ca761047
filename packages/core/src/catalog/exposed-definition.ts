import { hash } from 'node:crypto';

import { isRecord } from '@mcpmux/kit';
import { fitName, type QualifiedName } from '@mcpmux/namespace';

import { type Edit, splice } from '@mcpmux/wire';
import type { Definition } from '../server/lists/definition.js';
import type { Upstream } from '../server/upstream.js';

/** The key of the qualified name in a definition's `_meta`. mcpmux adds it if the listed name differs. */
export const ORIGINAL_NAME_KEY = 'dev.mcpmux/originalName';

/** A server's tool or prompt as clients see it. */
export interface ExposedDefinition {
  readonly upstream: Upstream;
  readonly definition: Definition;
  /** `{server}__{local}`. Clients can use this name even if the list has another one. */
  readonly qualifiedName: QualifiedName;
  /** The name in the list: the qualified name, or a name fitted to the rules of model APIs. */
  readonly exposedName: string;
}

/** True if the server's entries are listed. They stay listed while the server is idle, and while it starts again. */
export function isListed({ state, hasRunBefore }: Upstream): boolean {
  return state.kind === 'running' || state.kind === 'idle' || (state.kind === 'starting' && hasRunBefore);
}

/** True for a server whose tools are not known yet, because it is starting and has no entries from an earlier run. */
export function isFirstStart(upstream: Upstream): boolean {
  return upstream.state.kind === 'starting' && !isListed(upstream);
}

/** False for a hidden definition, which clients can use although no list contains it. */
export function appearsInLists({ definition }: ExposedDefinition): boolean {
  return definition.isHidden !== true;
}

/**
 * Returns the exposed name of a tool or prompt: the qualified name, or a fitted name that is not in use.
 *
 * @param usedNames the names in use, including `qualifiedName` itself
 */
export function exposedNameFor(
  qualifiedName: QualifiedName,
  nameBudget: number,
  usedNames: ReadonlySet<string>,
): string {
  for (let attempt = 0; ; attempt += 1) {
    const name = fitName(qualifiedName, {
      maxLength: nameBudget,
      digest: (text) => hash('sha256', text),
      attempt,
    });
    if (name === qualifiedName || !usedNames.has(name)) return name;
  }
}

/**
 * Returns the definition as it appears in the merged list: the server's bytes with the exposed name.
 *
 * @param extraEdits edits in addition to the one for the name
 */
export function listEntry(
  { definition, qualifiedName, exposedName }: ExposedDefinition,
  extraEdits: readonly Edit[] = [],
): Buffer {
  const edits: Edit[] = [{ span: definition.keySpan, bytes: JSON.stringify(exposedName) }, ...extraEdits];
  if (exposedName !== qualifiedName) edits.push(...originalNameEdits(definition, qualifiedName));
  // `splice` appends a newline, which a list entry must not contain.
  return splice(definition.bytes, edits).subarray(0, -1);
}

/** Returns the edits that insert the qualified name at the start of `_meta`, or a new `_meta` if there is none. */
function originalNameEdits({ bytes, metaSpan }: Definition, qualifiedName: string): readonly Edit[] {
  const member = `${JSON.stringify(ORIGINAL_NAME_KEY)}:${JSON.stringify(qualifiedName)}`;
  if (metaSpan === undefined) {
    // Leave a `_meta` that is not an object: parsers disagree on which of two `_meta` members counts, so do not add
    // one.
    if (hasMeta(bytes)) return [];
    // The comma is valid, because another member always follows: a definition has at least a name.
    return [{ span: { start: 1, end: 1 }, bytes: `"_meta":{${member}},` }];
  }
  const inside = metaSpan.start + 1;
  const isEmpty = bytes.toString('latin1', inside, metaSpan.end - 1).trim() === '';
  return [{ span: { start: inside, end: inside }, bytes: isEmpty ? member : `${member},` }];
}

function hasMeta(definition: Buffer): boolean {
  const item: unknown = JSON.parse(definition.toString('utf8'));
  return isRecord(item) && Object.hasOwn(item, '_meta');
}
