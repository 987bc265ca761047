import { JsonReader, type Span, stringAt } from '@mcpmux/wire';

/** A tree of keys that selects members of an object. */
interface WantedNode {
  /** The name under which the span of the value is returned; undefined if only its members are wanted. */
  name?: string;
  readonly members: Map<string, WantedNode>;
}

const OPEN_BRACE = 0x7b;
const NO_SPANS: ReadonlyMap<string, Span> = new Map();

/** Finds arguments of a call by their paths, all in one pass over the line. */
export class ArgumentSpans {
  private readonly wantedTree: WantedNode = { members: new Map() };

  /** @param paths the paths of the arguments, by the names under which their spans are returned */
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

  /** Returns the spans of the arguments in the call. If a key repeats, the last value is used, as in `JSON.parse`. */
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

/** Discards the members of an earlier object with the same key. */
function discardSpans({ name, members }: WantedNode, spans: Map<string, Span>): void {
  if (name !== undefined) spans.delete(name);
  for (const child of members.values()) discardSpans(child, spans);
}

function keyText(line: Buffer, start: number, end: number): string {
  return stringAt(line, { start: start - 1, end: end + 1 }) ?? '';
}
