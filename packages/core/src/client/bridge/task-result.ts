import { type Edit, type Span, valuePaths, valueSpans } from '@mcpmux/wire';
import { RELATED_TASK } from '../../server/link/server-paths.js';
import { firstMembers } from '../../server/link/members.js';

const OPEN_BRACE = 0x7b;
const META = valuePaths([['_meta']]);
const [, RELATED] = RELATED_TASK;

/** Returns the edits after which the value at `inner` replaces the value at `outer` that contains it. */
export function unwrapped(outer: Span, inner: Span): readonly Edit[] {
  return [
    { span: { start: outer.start, end: inner.start }, bytes: '' },
    { span: { start: inner.end, end: outer.end }, bytes: '' },
  ];
}

/** Returns the edit by which a result names the task that it belongs to. */
export function relatedEdit(line: Buffer, result: Span, taskId: string): readonly Edit[] {
  if (line[result.start] !== OPEN_BRACE) return [];
  const member = `${JSON.stringify(RELATED)}:${JSON.stringify({ taskId })}`;
  const [meta] = valueSpans(line, result, META);
  if (meta === undefined) return [firstMembers(line, result, `"_meta":{${member}}`)];
  return line[meta.span.start] === OPEN_BRACE ? [firstMembers(line, meta.span, member)] : [];
}
