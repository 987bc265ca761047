import { anyText } from '@mcpmux/testing/any-text';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { batchArguments } from './batch-line.js';

/** The text that cmd.exe hands on: variables are expanded everywhere, and the rest is read with its quotes. */
function readByShell(line: string): { readonly text: string; readonly syntax: string } {
  const text = line.replaceAll('%%cd:~,%', '%');
  const outside = text.split('"').filter((_, index) => index % 2 === 0);
  return { text, syntax: outside.join('').replace(/[^&|<>^()!]/g, '') };
}

const WITHIN_QUOTES = /^((?:\\\\)*)(\\"|""|")/;
const OUTSIDE = /^((?:\\\\)*)(\\"|")/;

/** The arguments that a program finds in its line, by the rules of the C runtime of Windows. */
function readByProgram(line: string): readonly string[] {
  const words: string[] = [];
  let word = '';
  let isQuoted = false;
  for (let rest = line; rest !== '';) {
    const [token = '', slashes = '', quote] =
      (isQuoted ? WITHIN_QUOTES : OUTSIDE).exec(rest) ?? /^./su.exec(rest) ?? [];
    rest = rest.slice(token.length);
    word += slashes.slice(0, slashes.length / 2);
    if (quote === '"') isQuoted = !isQuoted;
    else if (quote !== undefined) word += '"';
    else if (token !== ' ' || isQuoted) word += token;
    else {
      words.push(word);
      word = '';
    }
  }
  return [...words, word];
}

const argument = fc
  .oneof(
    anyText({ maxLength: 20 }),
    fc.string({ unit: fc.constantFrom(...Array.from('ab\\"%^&|<>()! ;,=')), maxLength: 20 }),
  )
  .filter((text) => !/[\0\r\n]/.test(text));

describe('a command line for a batch file', () => {
  it('reaches the program as the arguments were, and shows the shell no syntax', () => {
    fc.assert(
      fc.property(fc.array(argument, { maxLength: 4 }), (args) => {
        const line = batchArguments('C:\\a b\\srv.cmd', args).at(-1) ?? '';
        const { text, syntax } = readByShell(line.slice(1, -1));
        expect(syntax).toBe('');
        expect(readByProgram(text)).toEqual(['C:\\a b\\srv.cmd', ...args]);
      }),
      propertyRuns(200),
    );
  });

  it('names no variable of the environment', () => {
    fc.assert(
      fc.property(argument, (arg) => {
        const line = batchArguments('f', [arg]).at(-1) ?? '';
        expect(line.replaceAll('%%cd:~,%', '')).not.toContain('%');
      }),
      propertyRuns(100),
    );
  });
});
