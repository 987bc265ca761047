import { type Edit, type Span, valuePaths, valueSpans } from '@mcpmux/wire';
import { RELATED_TASK } from '../../server/link/server-paths.js';
import { firstMembers } from '../../server/link/members.js';

const OPEN_BRACE = 0x7b;
const META = valuePaths([['_meta']]);
const [, RELATED] = RELATED_TASK;

/** The edits by which what stands at `inner` takes the place of `outer`, which is around it. */
export function unwrapped(outer: Span, inner: Span): readonly Edit[] {
  return [
    { span: { start: outer.start, end: inner.start }, bytes: '' },
    { span: { start: inner.end, end: outer.end }, bytes: '' },
  ];
}

/** The edit by which a result says which task it is of. */
export function relatedEdit(line: Buffer, result: Span, taskId: string): readonly Edit[] {
  if (line[result.start] !== OPEN_BRACE) return [];
  const member = `${JSON.stringify(RELATED)}:${JSON.stringify({ taskId })}`;
  const [meta] = valueSpans(line, result, META);
  if (meta === undefined) return [firstMembers(line, result, `"_meta":{${member}}`)];
  return line[meta.span.start] === OPEN_BRACE ? [firstMembers(line, meta.span, member)] : [];
}
