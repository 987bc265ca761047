import { findNodeAtLocation, parseTree, type Node, type ParseError } from 'jsonc-parser';

/** Parses JSON with comments and trailing commas. Editors on Windows leave a byte order mark, which counts as space. */
export function treeOf(text: string, faults: ParseError[] = []): Node | undefined {
  const source = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text;
  return parseTree(source, faults, { allowTrailingComma: true });
}

/** The node under a path of keys. */
export function nodeAt(text: string, path: readonly string[]): Node | undefined {
  const root = treeOf(text);
  return root === undefined ? undefined : findNodeAtLocation(root, [...path]);
}

/** How far a path of keys leads through objects: `{}` or `null` where it ends. */
export function deepestNode(
  text: string,
  path: readonly string[],
): { readonly node: Node; readonly rest: readonly string[] } | undefined {
  const root = treeOf(text);
  if (root === undefined) return undefined;
  let length = path.length - 1;
  while (length > 0 && findNodeAtLocation(root, path.slice(0, length)) === undefined) length -= 1;
  const node = findNodeAtLocation(root, path.slice(0, length));
  return node === undefined ? undefined : { node, rest: path.slice(length) };
}

/** What stands before an offset on its line, when that is nothing but space. */
export function marginOf(text: string, offset: number): string | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const margin = text.slice(start, offset).replace(/^\uFEFF/, '');
  return /^[ \t]*$/.test(margin) ? margin : undefined;
}

/** The space that the line of an offset begins with. */
export function lineMargin(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^\uFEFF?([ \t]*)/.exec(line)?.[1] ?? '';
}

/** True when an object is written over several lines. */
export function isBroken(text: string, { offset, length }: Node): boolean {
  return text.slice(offset, offset + length).includes('\n');
}
