import { JsonReader, type Span, stringAt } from '@mcpmux/wire';

/** The wanted members of one object, as a tree of keys. */
interface Wanted {
  /** The name for the value itself, if it is wanted. */
  name?: string;
  readonly members: Map<string, Wanted>;
}

const OPEN_BRACE = 0x7b;
const NOTHING: ReadonlyMap<string, Span> = new Map();

/** Finds arguments of a call by their paths, all in one pass over the line. */
export class ArgumentSpans {
  private readonly wanted: Wanted = { members: new Map() };

  /** @param paths the paths of the arguments, by the names for their spans */
  constructor(paths: ReadonlyMap<string, readonly string[]>) {
    for (const [name, path] of paths) {
      let at = this.wanted;
      for (const key of ['params', 'arguments', ...path]) {
        const below = at.members.get(key) ?? { members: new Map() };
        at.members.set(key, below);
        at = below;
      }
      at.name = name;
    }
  }

  /**
   * Returns the spans of the arguments that the call contains. If a key appears twice, the last value is used, as in
   * `JSON.parse`.
   */
  in(line: Buffer): ReadonlyMap<string, Span> {
    if (this.wanted.members.size === 0) return NOTHING;
    const reader = new JsonReader(line);
    const found = new Map<string, Span>();
    const walk = ({ members }: Wanted, start: number): number => {
      if (members.size === 0 || line[start] !== OPEN_BRACE) return reader.value(start);
      return reader.object(start, 0, (keyStart, keyEnd, at) => {
        const below = members.get(keyText(line, keyStart, keyEnd));
        if (below === undefined) return reader.value(at);
        forget(below, found);
        const end = walk(below, at);
        if (below.name !== undefined) found.set(below.name, { start: at, end });
        return end;
      });
    };
    walk(this.wanted, 0);
    return found;
  }
}

/** Discards the members of an earlier object with the same key. */
function forget({ name, members }: Wanted, found: Map<string, Span>): void {
  if (name !== undefined) found.delete(name);
  for (const below of members.values()) forget(below, found);
}

function keyText(line: Buffer, start: number, end: number): string {
  return stringAt(line, { start: start - 1, end: end + 1 }) ?? '';
}
