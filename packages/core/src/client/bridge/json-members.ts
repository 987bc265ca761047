import { type Edit, type Span, type valuePaths, valueSpans } from '@mcpmux/wire';
import { prependEdit } from '../../server/link/members.js';

type Paths = ReturnType<typeof valuePaths>;

/** Returns the spans of the members of the object at `object`, by key. A member that appears twice has two spans. */
export function membersOf(line: Buffer, object: Span, paths: Paths): ReadonlyMap<string, readonly Span[]> {
  const members = new Map<string, Span[]>();
  for (const { path, span } of valueSpans(line, object, paths))
    members.set(path, [...(members.get(path) ?? []), span]);
  return members;
}

/**
 * Returns the edits that set these members of the object at `object`. Existing members get new values; missing ones are
 * inserted at the start.
 *
 * @param members JSON text, by key
 * @param paths one single-key path for each key of `members`
 */
export function memberEdits(
  line: Buffer,
  object: Span,
  members: Readonly<Record<string, string>>,
  paths: Paths,
): readonly Edit[] {
  const found = membersOf(line, object, paths);
  const replaced: Edit[] = [];
  const missing: string[] = [];
  for (const [key, bytes] of Object.entries(members)) {
    const spans = found.get(key);
    if (spans === undefined) missing.push(`${JSON.stringify(key)}:${bytes}`);
    else for (const span of spans) replaced.push({ span, bytes });
  }
  return missing.length === 0 ? replaced : [prependEdit(line, object, missing.join(',')), ...replaced];
}
