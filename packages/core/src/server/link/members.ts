import { type Edit, type Span, splice, type valuePaths, valueSpans } from '@mcpmux/wire';

const QUOTE = 0x22;
const COMMA = 0x2c;
const SPACE = 0x20;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Returns the edits that remove members from objects. The line must be valid JSON.
 *
 * @param values the spans of the members' values, in any order
 */
export function removalEdits(line: Buffer, values: readonly Span[]): readonly Edit[] {
  const members = values.map((value) => memberSpanOf(line, value)).toSorted((a, b) => a.start - b.start);
  const ranges: { start: number; end: number }[] = [];
  for (const { start, end } of members) {
    const range = ranges.at(-1);
    if (range !== undefined && isOnlyComma(line, range.end, start)) range.end = end;
    else ranges.push({ start, end });
  }
  return ranges.map((range) => ({ span: spanWithComma(line, range), bytes: '' }));
}

/**
 * Returns the line without the members that have these values, and without the object at `objectPaths` if it is then
 * empty.
 */
export function lineWithoutMembers(
  line: Buffer,
  values: readonly Span[],
  objectPaths: ReturnType<typeof valuePaths>,
): Buffer {
  if (values.length === 0) return line;
  const bare = splice(line, removalEdits(line, values)).subarray(0, -1);
  const [object] = valueSpans(bare, { start: 0, end: bare.length }, objectPaths);
  const isEmpty = object !== undefined && afterSpace(bare, object.span.start + 1) === object.span.end - 1;
  return isEmpty ? splice(bare, removalEdits(bare, [object.span])).subarray(0, -1) : bare;
}

/** Returns the edit that inserts members at the beginning of the object at `span`. */
export function prependEdit(line: Buffer, span: Span, members: string): Edit {
  const isEmpty = line[afterSpace(line, span.start + 1)] === CLOSE_BRACE;
  const at = span.start + 1;
  return { span: { start: at, end: at }, bytes: isEmpty ? members : `${members},` };
}

/** Returns the edit that inserts a member at the end of the object at `span`. */
export function lastMemberInsertion(line: Buffer, span: Span, member: string): Edit {
  const isEmpty = line[beforeSpace(line, span.end - 2)] === OPEN_BRACE;
  const at = span.end - 1;
  return { span: { start: at, end: at }, bytes: isEmpty ? member : `,${member}` };
}

/** Returns the position of the opening quote of this value's key. The key must not contain a quote. */
export function keyBefore(line: Buffer, value: Span): number {
  return quoteBefore(line, quoteBefore(line, value.start));
}

function memberSpanOf(line: Buffer, value: Span): Span {
  return { start: keyBefore(line, value), end: value.end };
}

function quoteBefore(line: Buffer, from: number): number {
  let at = from - 1;
  while (line[at] !== QUOTE && at > 0) at -= 1;
  return at;
}

function spanWithComma(line: Buffer, { start, end }: Span): Span {
  const next = afterSpace(line, end);
  if (line[next] === COMMA) return { start, end: next + 1 };
  const before = beforeSpace(line, start - 1);
  return { start: line[before] === COMMA ? before : start, end };
}

function isOnlyComma(line: Buffer, from: number, to: number): boolean {
  const comma = afterSpace(line, from);
  return line[comma] === COMMA && afterSpace(line, comma + 1) === to;
}

function afterSpace(line: Buffer, from: number): number {
  let at = from;
  while ((line[at] ?? COMMA) <= SPACE) at += 1;
  return at;
}

function beforeSpace(line: Buffer, from: number): number {
  let at = from;
  while ((line[at] ?? COMMA) <= SPACE) at -= 1;
  return at;
}
