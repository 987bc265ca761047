import fc from 'fast-check';
import { expect, it } from 'vitest';

import { editDocument } from './edit-document.js';
import { tomlEditor } from './toml-editor.js';

const word = fc.stringMatching(/^[a-z]{1,6}$/);
const note = fc.constantFrom('', ' # a note', '  #');
const value = fc.constantFrom(
  '1',
  '"x # y"',
  "'[a.b]'",
  '[ 1,\n  2 ]',
  '{ a = 1 }',
  '"""\n[x]\n"""',
  '1979-05-27',
);
const line = fc.tuple(word, value, note).map(([key, text, end]) => `${key} = ${text}${end}\n`);
const gap = fc.constantFrom('', '\n', '# above\n', '\n\n# further up\n\n');
const lines = fc.uniqueArray(line, { selector: (text) => text.split(' ')[0], maxLength: 3 });

/** A file with comments, blank lines and values in many spellings. */
const file = fc
  .record({
    top: lines,
    tables: fc.dictionary(word, fc.tuple(gap, note, lines), { maxKeys: 3 }),
    end: fc.constantFrom('', '\n', '\n\n', '# last\n', '# last'),
    eol: fc.constantFrom('\n', '\r\n'),
  })
  .map(({ top, tables, end, eol }) => {
    const written = Object.entries(tables).map(
      ([name, [above, comment, inner]]) => `${above}[servers.${name}]${comment}\n${inner.join('')}`,
    );
    return `${top.map((text) => `top_${text}`).join('')}${written.join('')}${end}`.replaceAll('\n', eol);
  });

it('an entry that is put in adds one piece of text, and taken out leaves what there was', () => {
  fc.assert(
    fc.property(file, fc.record({ command: fc.string(), args: fc.array(fc.string()) }), (text, entry) => {
      const path = ['servers', 'NEW'];
      const after = editDocument(tomlEditor, text, path, entry);
      expect(tomlEditor.parse(after)).toMatchObject({ servers: { NEW: entry } });
      expect(after.startsWith(text)).toBe(true);
      const eol = text.includes('\r\n') ? '\r\n' : '\n';
      const whole = text === '' || text.endsWith('\n') ? text : text + eol;
      expect(editDocument(tomlEditor, after, path, undefined)).toBe(whole);
    }),
  );
});
