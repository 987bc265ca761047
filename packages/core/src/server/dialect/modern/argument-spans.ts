import { JsonReader, type Span, stringAt } from '@mcpmux/wire';

/** A node in the tree of keys that lead to the wanted arguments. */
interface WantedNode {
  /** The name under which the value's span is returned; undefined if only members of the value are wanted. */
  name?: string;
  readonly members: Map<string, WantedNode>;
}

const OPEN_BRACE = 0x7b;
const NO_SPANS: ReadonlyMap<string, Span> = new Map();

/** Finds the spans of a call's arguments by path, in a single pass over the line. */
export class ArgumentSpans {
  private readonly wantedTree: WantedNode = { members: new Map() };

  /** @param paths the path of each wanted argument, by the name under which its span is returned */
  constructor(paths: ReadonlyMap<string, readonly string[]>) {
    for (const [name, path] of paths) {
      let node = this.wantedTree;
      for (const key of ['params', 'arguments', ...path]) {
        const child = node.members.get(key) ?? { members: new Map() };
        node.members.set(key, child);
        node = child;
      }
      node.name = name;
    }
  }

  /**
   * Returns the spans of the wanted arguments, by name. If a key repeats, its last value counts, as in `JSON.parse`.
   */
  findSpans(line: Buffer): ReadonlyMap<string, Span> {
    if (this.wantedTree.members.size === 0) return NO_SPANS;
    const reader = new JsonReader(line);
    const spans = new Map<string, Span>();
    const visitValue = ({ members }: WantedNode, start: number): number => {
      if (members.size === 0 || line[start] !== OPEN_BRACE) return reader.value(start);
      return reader.object(start, 0, (keyStart, keyEnd, at) => {
        const child = members.get(keyText(line, keyStart, keyEnd));
        if (child === undefined) return reader.value(at);
        discardSpans(child, spans);
        const end = visitValue(child, at);
        if (child.name !== undefined) spans.set(child.name, { start: at, end });
        return end;
      });
    };
    visitValue(this.wantedTree, 0);
    return spans;
  }
}

/** Discards the spans found in an earlier value of a repeated key. */
function discardSpans({ name, members }: WantedNode, spans: Map<string, Span>): void {
  if (name !== undefined) spans.delete(name);
  for (const child of members.values()) discardSpans(child, spans);
}

function keyText(line: Buffer, start: number, end: number): string {
  return stringAt(line, { start: start - 1, end: end + 1 }) ?? '';
}
