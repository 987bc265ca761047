import { positionAt } from '@mcpmux/clients';
import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser';

import { formatPath, type ConfigProblem } from './config-problem.js';

/** A setting's path from the root of its file, as object keys and array indexes. */
export type SettingPath = readonly (string | number)[];

/** Creates a problem about a setting, with the setting's position in the text. */
export type Report = (
  severity: ConfigProblem['severity'],
  path: SettingPath,
  message: string,
) => ConfigProblem;

/** A parsed config file that can locate its settings in the text. */
export interface ConfigText {
  readonly value: unknown;
  /** The first syntax error, if any. */
  readonly syntaxErrors: readonly ConfigProblem[];
  /** The paths of duplicate keys. The last value of a duplicate key is used. */
  readonly repeatedKeys: readonly SettingPath[];
  readonly report: Report;
}

const SYNTAX_EXPECTATIONS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'expected a value: a string in double quotes, a number, true, false, null, [ or {',
  InvalidNumberFormat: 'expected a number',
  PropertyNameExpected: 'expected a key in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected ":" after the key',
  CommaExpected: 'expected "," or the end of the list or object',
  CloseBraceExpected: 'expected "}"',
  CloseBracketExpected: 'expected "]"',
  EndOfFileExpected: 'expected the end of the file',
  InvalidCommentToken: 'expected a comment as // or /* */',
  UnexpectedEndOfComment: 'expected "*/" at the end of the comment',
  UnexpectedEndOfString: 'expected a closing double quote',
  UnexpectedEndOfNumber: 'expected more digits',
  InvalidUnicode: 'expected four hexadecimal digits after \\u',
  InvalidEscapeCharacter: 'expected a known escape after "\\": a path of Windows needs "\\\\" for each "\\"',
  InvalidCharacter: 'expected no control characters in a string',
};

/** Parses JSON with comments and trailing commas. */
export function parseConfigText(file: string, source: string): ConfigText {
  // Some editors on Windows write a byte order mark.
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const faults: ParseError[] = [];
  const root = parseTree(text, faults, { allowTrailingComma: true });
  const problem = (
    severity: ConfigProblem['severity'],
    offset: number,
    path: SettingPath,
    message: string,
  ) => ({
    severity,
    file,
    ...positionAt(text, offset),
    path: formatPath(path),
    message,
  });
  return {
    value: root === undefined ? undefined : getNodeValue(root),
    // Report only the first error, because it often causes the others.
    syntaxErrors: faults
      .slice(0, 1)
      .map(({ error, offset }) => problem('error', offset, [], syntaxMessage(printParseErrorCode(error)))),
    repeatedKeys: root === undefined ? [] : [...repeatedKeys(root, [])],
    report: (severity, path, message) => problem(severity, offsetOf(root, path), path, message),
  };
}

function syntaxMessage(code: string): string {
  return `not valid JSON: ${SYNTAX_EXPECTATIONS[code] ?? code}`;
}

/** Returns a setting's offset, or the offset of its innermost existing parent if the setting is missing. */
function offsetOf(root: Node | undefined, path: SettingPath): number {
  if (root === undefined) return 0;
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node !== undefined) return node.parent?.type === 'property' ? node.parent.offset : node.offset;
  }
  return root.offset;
}

function* repeatedKeys(node: Node, path: SettingPath): Generator<SettingPath> {
  const seen = new Set<unknown>();
  for (const [index, child] of (node.children ?? []).entries()) {
    const [key, value] = child.type === 'property' ? (child.children ?? []) : [undefined, child];
    const segment: unknown = key?.value;
    const childPath = [...path, typeof segment === 'string' ? segment : index];
    if (typeof segment === 'string' && seen.has(segment)) yield childPath;
    seen.add(segment);
    if (value !== undefined) yield* repeatedKeys(value, childPath);
  }
}
