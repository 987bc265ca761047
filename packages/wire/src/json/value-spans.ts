import { JsonReader } from './json-reader.js';
import { findKey, keyPaths, type KeyNode } from './key-paths.js';
import type { Span } from './span.js';

/** The path and position of a wanted value. */
export interface FoundValue {
  readonly path: string;
  readonly span: Span;
}

/** The path step that matches every element of an array. */
export const EACH = '[]';

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

/** Compiles paths such as `['content', EACH, 'uri']` for {@link valueSpans}. */
export const valuePaths: (paths: readonly (readonly string[])[]) => readonly KeyNode[] = keyPaths;

/** Finds the wanted values inside the value at `within`, in text order. The line must be valid JSON. */
export function valueSpans(line: Buffer, within: Span, wanted: readonly KeyNode[]): readonly FoundValue[] {
  const reader = new JsonReader(line);
  const found: FoundValue[] = [];
  const walk = (nodes: readonly KeyNode[], start: number): number => {
    if (nodes.length === 0) return reader.value(start);
    if (line[start] === OPEN_BRACE) {
      return reader.object(start, 0, (keyStart, keyEnd, valueStart) =>
        visit(findKey(nodes, line, keyStart, keyEnd), valueStart),
      );
    }
    const eachNode = line[start] === OPEN_BRACKET ? nodes.find(({ key }) => key === EACH) : undefined;
    if (eachNode === undefined) return reader.value(start);
    return reader.array(start, 0, (elementStart) => visit(eachNode, elementStart));
  };
  const visit = (node: KeyNode | undefined, start: number): number => {
    if (node === undefined) return reader.value(start);
    const end = walk(node.children, start);
    if (node.isWanted) found.push({ path: node.path, span: { start, end } });
    return end;
  };
  walk(wanted, within.start);
  return found;
}
