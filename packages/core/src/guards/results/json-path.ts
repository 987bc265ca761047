import { JsonReader, type Span } from '@mcpmux/wire';

/** A step of a JSON path: selects a member by key, an element by index, or every member or element. */
export type PathStep = { readonly key: string } | { readonly index: number } | { readonly isEach: true };

/** Maximum number of values that a path selects. Further matches are dropped. */
const MAX_VALUES = 100_000;
const STEP_PATTERN =
  /\.([\p{L}_$][\p{L}\p{N}_$-]*)|\[(\d+)\]|\[\*\]|\.\*|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/uy;

/** Parses a JSON path such as `$.items[0].name` or `$.items[*]['full name']`; undefined if the path is not valid. */
export function parsePath(path: string): readonly PathStep[] | undefined {
  const text = path.startsWith('$') ? path.slice(1) : `.${path}`;
  const steps: PathStep[] = [];
  STEP_PATTERN.lastIndex = 0;
  while (STEP_PATTERN.lastIndex < text.length) {
    const match = STEP_PATTERN.exec(text);
    if (match === null) return undefined;
    const [, name, index, single, double] = match;
    const key = name ?? single ?? double;
    if (key !== undefined) steps.push({ key: key.replaceAll(/\\(.)/g, '$1') });
    else steps.push(index === undefined ? { isEach: true } : { index: Number(index) });
  }
  return steps;
}

/**
 * Returns the spans of the values that a path selects in a JSON text.
 *
 * @throws JsonSyntaxError if the text is not valid JSON
 */
export function selectValues(json: Buffer, steps: readonly PathStep[]): readonly Span[] {
  const reader = new JsonReader(json);
  const spans: Span[] = [];
  const visit = (start: number, depth: number): number => {
    const step = steps[depth];
    if (step === undefined) {
      const end = reader.value(start, depth);
      if (spans.length < MAX_VALUES) spans.push({ start, end });
      return end;
    }
    return visitChildren(reader, json, start, depth, (key, index, at, inner) =>
      matchesStep(step, key, index) ? visit(at, depth + 1) : reader.value(at, inner),
    );
  };
  visit(reader.afterSpace(0), 0);
  return spans;
}

type Child = (key: string | undefined, index: number, at: number, depth: number) => number;

/** Calls `child` for each member or element of the value at `start`, and returns the value's end. Skips a scalar. */
// oxlint-disable-next-line eslint/max-params -- one level of the recursive walk
function visitChildren(reader: JsonReader, json: Buffer, start: number, depth: number, child: Child): number {
  let index = -1;
  if (json[start] === 0x7b)
    return reader.object(start, depth, (keyStart, keyEnd, at, inner) => {
      const key: unknown = JSON.parse(json.toString('utf8', keyStart - 1, keyEnd + 1));
      return child(String(key), -1, at, inner);
    });
  if (json[start] === 0x5b)
    return reader.array(start, depth, (at, inner) => {
      index += 1;
      return child(undefined, index, at, inner);
    });
  return reader.value(start, depth);
}

function matchesStep(step: PathStep, key: string | undefined, index: number): boolean {
  if ('isEach' in step) return true;
  return 'key' in step ? step.key === key : step.index === index;
}
