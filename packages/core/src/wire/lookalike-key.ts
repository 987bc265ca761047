import type { KeyNode } from './key-paths.js';

/**
 * The key among `nodes` that a lax peer takes the other key at `[start, end)` of `line` for: one that ignores case
 * (CVE-2026-27896), drops NUL characters, or reads up to the first of them.
 */
export function lookalikeKey(
  nodes: readonly KeyNode[],
  line: Buffer,
  start: number,
  end: number,
): string | undefined {
  const key = JSON.parse(line.toString('utf8', start - 1, end + 1)) as string;
  const withoutNul = folded(key.replaceAll('\0', ''));
  const upToNul = folded(key.replace(/\0.*$/s, ''));
  return nodes.map((node) => node.key).find((known) => [withoutNul, upToNul].includes(folded(known)));
}

/** Both ways, because some letters meet only there: "ſ" is a small letter whose capital is "S". */
function folded(text: string): string {
  return text.toUpperCase().toLowerCase();
}
