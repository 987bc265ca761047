/** One key in a tree of key paths. */
export interface KeyNode {
  readonly key: string;
  /** The key's bytes in JSON text, without quotes and with only the required escapes. */
  readonly bytes: Buffer;
  /** The full path to this key. */
  readonly path: string;
  /** True if the value of this key is wanted, not only values inside it. */
  readonly isWanted: boolean;
  /** A bit that no sibling uses. Detects duplicate keys. */
  readonly bit: number;
  /** The wanted members of the value, if it is an object. */
  readonly children: readonly KeyNode[];
}

const BACKSLASH = 0x5c;
/** The number of bits in an integer that V8 stores without an allocation. */
const MAX_SIBLINGS = 30;

/**
 * Compiles paths (`"name"`, `"_meta.progressToken"`) into the tree that MessageReader follows. If a key contains a dot,
 * its path must be a list of keys.
 *
 * @throws TypeError for a duplicate path, a path with an empty key, or more than 30 keys on one level
 */
export function keyPaths(paths: readonly (string | readonly string[])[]): readonly KeyNode[] {
  const split = paths.map((path) => (typeof path === 'string' ? path.split('.') : path));
  if (new Set(split.map((keys) => JSON.stringify(keys))).size !== paths.length)
    throw new TypeError(`a key path is given twice: ${paths.join(', ')}`);
  return compileLevel(split, []);
}

function compileLevel(paths: readonly (readonly string[])[], above: readonly string[]): readonly KeyNode[] {
  const keys = [...new Set(paths.map((path) => path[0] ?? ''))];
  if (keys.length > MAX_SIBLINGS)
    throw new TypeError(`more than ${MAX_SIBLINGS} keys of one object are wanted`);
  return keys.map((key, index) => {
    if (key === '') throw new TypeError('a key path contains an empty key');
    const currentPath = [...above, key];
    const remainingPaths = paths.filter((path) => path[0] === key).map((path) => path.slice(1));
    return {
      key,
      bytes: Buffer.from(JSON.stringify(key).slice(1, -1)),
      path: currentPath.join('.'),
      isWanted: remainingPaths.some((path) => path.length === 0),
      bit: 1 << index,
      children: compileLevel(
        remainingPaths.filter((path) => path.length > 0),
        currentPath,
      ),
    };
  });
}

/** Returns the node whose key is at `[start, end)` of `line`, if `nodes` contains it. */
export function findKey(
  nodes: readonly KeyNode[],
  line: Buffer,
  start: number,
  end: number,
): KeyNode | undefined {
  for (const node of nodes) {
    if (sameBytes(node.bytes, line, start, end)) return node;
  }
  // The keys "\u006eame" and "name" are equal. A peer that decodes escapes must see the same message as mcpmux.
  let at = start;
  while (at < end && line[at] !== BACKSLASH) at += 1;
  if (at === end) return undefined;
  const key = JSON.parse(line.toString('utf8', start - 1, end + 1)) as string;
  return nodes.find((node) => node.key === key);
}

/**
 * True if the bytes at `[start, end)` of `line` equal `key`. For a short key, a loop is cheaper than creating a view.
 */
export function sameBytes(key: Buffer, line: Buffer, start: number, end: number): boolean {
  if (key.length !== end - start) return false;
  for (let offset = 0; offset < key.length; offset += 1) {
    if (key[offset] !== line[start + offset]) return false;
  }
  return true;
}
