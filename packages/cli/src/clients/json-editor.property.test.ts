import fc from 'fast-check';
import { expect, it } from 'vitest';

import { jsonEditor } from './json-editor.js';
import { editDocument } from './server-document.js';

const word = fc.stringMatching(/^[a-z]{1,6}$/);
const server = fc.record(
  { command: word, args: fc.array(word, { maxLength: 3 }) },
  { requiredKeys: ['command'] },
);
const comment = fc.constantFrom('', ' // a note', ' /* a note */');
const layout = fc.record({
  indent: fc.constantFrom(2, 4, '\t'),
  eol: fc.constantFrom('\n', '\r\n'),
  end: fc.constantFrom('', '\n'),
});

/** A file with comments behind its lines, as people have them. */
const file = fc
  .tuple(
    fc.dictionary(word, server, { minKeys: 1, maxKeys: 4 }),
    layout,
    fc.array(comment, { minLength: 40, maxLength: 40 }),
  )
  .map(([mcpServers, { indent, eol, end }, comments]) => {
    const lines = JSON.stringify({ theme: 'dark', mcpServers, last: 1 }, undefined, indent).split('\n');
    return lines.map((line, index) => line + (comments[index] ?? '')).join(eol) + end.replace('\n', eol);
  });

it('an entry is put in without touching a character of anything else but a comma, and taken out again', () => {
  fc.assert(
    fc.property(file, server, (text, entry) => {
      const path = ['mcpServers', 'NEW'];
      const after = editDocument(jsonEditor, text, path, entry);
      expect(jsonEditor.parse(after)).toMatchObject({ mcpServers: { NEW: entry } });
      for (const note of text.split(/\r?\n/)) {
        expect(after.replaceAll(',', '')).toContain(note.replaceAll(',', '').trim());
      }
      const back = editDocument(jsonEditor, after, path, undefined);
      expect(jsonEditor.parse(back)).toEqual(jsonEditor.parse(text));
      expect(back.match(/a note/g)?.length).toBe(text.match(/a note/g)?.length);
    }),
  );
});

it('taken out and put back, a value is the same', () => {
  fc.assert(
    fc.property(file, (text) => {
      const before = jsonEditor.parse(text);
      const without = editDocument(jsonEditor, text, ['theme'], undefined);
      expect(jsonEditor.parse(without)).not.toHaveProperty('theme');
      expect(jsonEditor.parse(editDocument(jsonEditor, without, ['theme'], 'dark'))).toEqual(before);
    }),
  );
});
