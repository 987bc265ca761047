import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';

import { editDocument } from './edit-document.js';
import { yamlEditor } from './yaml-editor.js';

// Never one of the words that YAML takes for something else, such as null.
const word = fc.stringMatching(/^[a-z]{1,6}x$/);
const scalar = fc.constantFrom('x', '"x y"', "'it''s'", '1', 'true', '~', '{ a:   1 }', '[ 1,  2 ]');
const note = fc.constantFrom('', '  # a note', ' #');
const above = fc.constantFrom('', '# above\n', '\n', '\n  # further in\n\n');

const member = fc.tuple(scalar, note).map(([value, comment]) => `${value}${comment}`);
const server = fc
  .tuple(fc.dictionary(word, member, { minKeys: 1, maxKeys: 3 }), note, above, fc.constantFrom(2, 3, 4))
  .map(([keys, comment, before, indent]) => ({
    write: (name: string, margin: string) =>
      `${before}${margin}${name}:${comment}\n${Object.entries(keys)
        .map(([key, value]) => `${margin}${' '.repeat(indent)}${key}: ${value}\n`)
        .join('')}`,
  }));

/** A file with comments, blank lines and values in many spellings. */
const file = fc
  .record({
    first: fc.dictionary(word, member, { maxKeys: 3 }),
    servers: fc.dictionary(word, server, { minKeys: 1, maxKeys: 4 }),
    last: fc.option(member),
    comment: note,
    indent: fc.constantFrom('  ', '    '),
    eol: fc.constantFrom('\n', '\r\n'),
    start: fc.constantFrom('', '\uFEFF', '---\n', '# first\n---\n'),
  })
  .map(({ first, servers, last, comment, indent, eol, start }) => {
    const head = Object.entries(first).map(([key, value]) => `${key}0: ${value}\n`);
    const inner = Object.entries(servers).map(([name, { write }]) => write(name, indent));
    const tail = last === null ? '' : `last: ${last}\n`;
    const text = `${start}${head.join('')}servers:${comment}\n${inner.join('')}${tail}`;
    return text.replaceAll('\n', eol);
  });

it('an entry that is put in adds one piece of text, and taken out leaves what there was', () => {
  fc.assert(
    fc.property(file, fc.record({ cmd: fc.string(), args: fc.array(fc.string()) }), (text, entry) => {
      const path = ['servers', 'NEW'];
      const after = editDocument(yamlEditor, text, path, entry);
      expect(yamlEditor.parse(after)).toMatchObject({ servers: { NEW: entry } });
      expect(isOnePieceMore(text, after)).toBe(true);
      expect(editDocument(yamlEditor, after, path, undefined)).toBe(text);
    }),
    propertyRuns(25),
  );
});

it('of any entry that is taken out, what is left was there, in its order', () => {
  fc.assert(
    fc.property(file, (text) => {
      const [name = ''] = Object.keys(yamlEditor.parse(text)['servers'] ?? {});
      const after = editDocument(yamlEditor, text, ['servers', name], undefined);
      const isWithout = isOnePieceMore(after, text) || isOnePieceMore(after.replace(' {}', ''), text);
      expect(isWithout).toBe(true);
    }),
  );
});

function isOnePieceMore(text: string, more: string): boolean {
  let start = 0;
  while (start < text.length && text[start] === more[start]) start += 1;
  return more.endsWith(text.slice(start));
}
