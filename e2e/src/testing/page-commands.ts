import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CLI } from './built-cli.js';

/** A block of code, or a span of code in the prose that is a command of mcpmux. */
const CODE = /^ *```(?<language>\w+)\n(?<block>[^]*?)\n *```$|`(?<span>mcpmux [^`]+)`/gm;
const DOCS = join(CLI, '..', '..', '..', '..', 'docs');

/** A step of a page: a command line, or settings for the config. */
export type PageStep =
  | { readonly kind: 'command'; readonly line: string }
  | { readonly kind: 'settings'; readonly text: string };

/** The steps of a page of the docs, in their order. Comments and examples of output (`console`) are left out. */
export async function stepsOf(page: string): Promise<readonly PageStep[]> {
  const text = await readFile(join(DOCS, page), 'utf8');
  return [...text.matchAll(CODE)].flatMap(({ groups = {} }): readonly PageStep[] => {
    const { language, block = '', span } = groups;
    if (span !== undefined) return [{ kind: 'command', line: span.replaceAll('\n', ' ') }];
    if (language === 'json') return [{ kind: 'settings', text: block }];
    return language === 'sh' ? linesOf(block).map((line) => ({ kind: 'command', line })) : [];
  });
}

function linesOf(block: string): readonly string[] {
  const lines = block.replaceAll('\\\n', ' ').split('\n');
  return lines.map((line) => line.replace(/(?:^|\s+)# .*$/, '').trim()).filter((line) => line !== '');
}
