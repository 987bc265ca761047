/** One level of a set of key paths: what is wanted among the members of one object. */
export interface KeyNode {
  readonly key: string;
  /** The key as it stands in a line, quotes excluded, when no escape is used. */
  readonly bytes: Buffer;
  /** The whole path to this key. */
  readonly path: string;
  /** True when the value at this key is itself wanted, not only something inside it. */
  readonly isWanted: boolean;
  /** A bit of its own among its siblings, by which a key that stands twice is noticed. */
  readonly bit: number;
  /** The wanted members of the value, if it is an object. */
  readonly children: readonly KeyNode[];
}

const BACKSLASH = 0x5c;
/** Bits of a small integer: what a `number` holds without an allocation. */
const MAX_SIBLINGS = 30;

/**
 * Compiles paths (`"name"`, `"_meta.progressToken"`) into the tree that MessageReader follows. A path with a dot
 * inside a key is given as the list of its keys.
 *
 * @throws TypeError for a path that is given twice, one that contains an empty key, or more than 30 keys side by side.
 */
export function keyPaths(paths: readonly (string | readonly string[])[]): readonly KeyNode[] {
  const split = paths.map((path) => (typeof path === 'string' ? path.split('.') : path));
  if (new Set(split.map((keys) => JSON.stringify(keys))).size !== paths.length)
    throw new TypeError(`a key path is given twice: ${paths.join(', ')}`);
  return level(split, []);
}

function level(paths: readonly (readonly string[])[], above: readonly string[]): readonly KeyNode[] {
  const keys = [...new Set(paths.map((path) => path[0] ?? ''))];
  if (keys.length > MAX_SIBLINGS)
    throw new TypeError(`more than ${MAX_SIBLINGS} keys of one object are wanted`);
  return keys.map((key, index) => {
    if (key === '') throw new TypeError('a key path contains an empty key');
    const here = [...above, key];
    const rest = paths.filter((path) => path[0] === key).map((path) => path.slice(1));
    return {
      key,
      bytes: Buffer.from(key),
      path: here.join('.'),
      isWanted: rest.some((path) => path.length === 0),
      bit: 1 << index,
      children: level(
        rest.filter((path) => path.length > 0),
        here,
      ),
    };
  });
}

/** The node whose key stands at `[start, end)` of `line`, if it is one of `nodes`. */
export function findKey(
  nodes: readonly KeyNode[],
  line: Buffer,
  start: number,
  end: number,
): KeyNode | undefined {
  for (const node of nodes) {
    if (sameBytes(node.bytes, line, start, end)) return node;
  }
  // "\u006eame" is "name" too: a peer that decodes keys must not see another message than we do.
  let at = start;
  while (at < end && line[at] !== BACKSLASH) at += 1;
  if (at === end) return undefined;
  const key = JSON.parse(line.toString('utf8', start - 1, end + 1)) as string;
  return nodes.find((node) => node.key === key);
}

/** True when exactly `key` stands at `[start, end)` of `line`. Cheaper than a view for the few bytes of a key. */
export function sameBytes(key: Buffer, line: Buffer, start: number, end: number): boolean {
  if (key.length !== end - start) return false;
  for (let offset = 0; offset < key.length; offset += 1) {
    if (key[offset] !== line[start + offset]) return false;
  }
  return true;
}
