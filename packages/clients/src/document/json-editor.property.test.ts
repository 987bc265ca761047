import fc from 'fast-check';
import { expect, it } from 'vitest';

import { jsonEditor } from './json-editor.js';
import { editDocument } from './edit-document.js';

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

const gap = fc.constantFrom('', ' ', '\n', '\n    ', ' /* a note */ ', ' // a note\n', '\t');

/** Values in any layout, with comments anywhere. */
const { json: laidOut } = fc.letrec<{ readonly json: string; readonly object: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('1', 'true', 'null', '"a // b"', '"\\u00e9"', '{}', '[ ]'),
    fc
      .array(fc.tuple(gap, tie('json')), { maxLength: 2 })
      .map((items) => `[${items.map((item) => item.join('')).join(',')}]`),
    tie('object'),
  ),
  object: members(tie('json'), { minLength: 0 }),
}));

function members(
  json: fc.Arbitrary<string>,
  { minLength }: { readonly minLength: number },
): fc.Arbitrary<string> {
  const member = fc.tuple(word, gap, gap, gap, json, gap);
  return fc
    .tuple(fc.uniqueArray(member, { selector: ([key]) => key, minLength, maxLength: 3 }), fc.boolean(), gap)
    .map(([list, isTrailing, end]) => {
      const written = list.map(([key, a, b, c, value, d]) => `${a}"${key}"${b}:${c}${value}${d}`);
      return `{${written.join(',')}${isTrailing && written.length > 0 ? ',' : ''}${end}}`;
    });
}

const anyFile = fc
  .tuple(members(laidOut, { minLength: 0 }), gap, gap, gap, laidOut)
  .map(([servers, a, b, c, last]) => ({
    before: `${a}{${b}"mcpServers":${c}`,
    servers,
    after: `${c}, "last":${last}${b}}${a}`,
  }));

it('whatever the layout, an entry is put in and taken out with all other bytes as they are', () => {
  fc.assert(
    fc.property(anyFile, server, ({ before, servers, after }, entry) => {
      const text = before + servers + after;
      const path = ['mcpServers', 'NEW'];
      const more = editDocument(jsonEditor, text, path, entry);
      expect(jsonEditor.parse(more)).toMatchObject({ mcpServers: { NEW: entry } });
      expect([more.slice(0, before.length), more.slice(-after.length)]).toEqual([before, after]);
      const back = editDocument(jsonEditor, more, path, undefined);
      expect([back.slice(0, before.length), back.slice(-after.length)]).toEqual([before, after]);
      const inner = back.slice(before.length, back.length - after.length);
      const isEmpty = Object.keys(jsonEditor.parse(servers)).length === 0;
      // Of the space in an object without properties nothing is said.
      const compared = (part: string): string => (isEmpty ? part.replaceAll(/\s/g, '') : part);
      expect(compared(inner)).toBe(compared(servers));
    }),
  );
});

it('whatever the layout, any entry is taken out or replaced, and nothing outside is touched', () => {
  fc.assert(
    fc.property(anyFile, fc.nat(2), fc.option(server), ({ before, servers, after }, index, value) => {
      const text = before + servers + after;
      const names = Object.keys(jsonEditor.parse(servers));
      const name = names[index % Math.max(1, names.length)];
      if (name === undefined) return;
      const edited = editDocument(jsonEditor, text, ['mcpServers', name], value ?? undefined);
      expect([edited.slice(0, before.length), edited.slice(-after.length)]).toEqual([before, after]);
    }),
  );
});
