import { describe, expect, it } from 'vitest';

import { jsonEditor } from './json-editor.js';
import type { DocumentEditor } from './document-editor.js';
import { DocumentError } from './document-error.js';
import { editDocument } from './edit-document.js';
import { tomlEditor } from './toml-editor.js';
import { yamlEditor } from './yaml-editor.js';

const ENTRY = { command: 'npx', args: ['-y', 'x'] };

function fault(editor: DocumentEditor, text: string): DocumentError {
  try {
    editor.parse(text);
  } catch (error) {
    if (error instanceof DocumentError) return error;
  }
  throw new Error('it was read');
}

describe('a document that cannot be read is told with its position', () => {
  it.each([
    ['JSON', jsonEditor, '{\n  "a": }\n', 2],
    ['JSON that is no object', jsonEditor, '[]', 1],
    ['TOML', tomlEditor, 'a = 1\nb = = 2\n', 2],
    ['YAML', yamlEditor, 'a: 1\nb: [1\n', 2],
    ['YAML that is no mapping', yamlEditor, '- 1\n', 1],
  ])('%s', (_, editor, text, line) => {
    expect(fault(editor, text).position?.line).toBeGreaterThanOrEqual(line);
  });
});

describe('JSON', () => {
  it.each([
    ['an empty file', '', '{\n  "s": {\n    "x": 1\n  }\n}\n'],
    ['an empty object', '{}\n', '{\n  "s": {\n    "x": 1\n  }\n}\n'],
    [
      'a trailing comma',
      '{\n  "s": {\n    "a": 1,\n  },\n}\n',
      '{\n  "s": {\n    "a": 1,\n    "x": 1,\n  },\n}\n',
    ],
    ['tabs', '{\n\t"s": {\n\t\t"a": 1\n\t}\n}', '{\n\t"s": {\n\t\t"a": 1,\n\t\t"x": 1\n\t}\n}'],
  ])('%s goes on as it is laid out', (_, text, expected) => {
    expect(editDocument(jsonEditor, text, ['s', 'x'], 1)).toBe(expected);
  });

  it.each([
    ['an object on one line', '{ "s": { "a": 1 } }\n'],
    ['a byte order mark', '\uFEFF{ "s": {} }\n'],
  ])('%s takes an entry', (_, text) => {
    expect(jsonEditor.parse(editDocument(jsonEditor, text, ['s', 'x'], 1))).toMatchObject({ s: { x: 1 } });
  });

  it('what is the same is not touched', () => {
    const text = '{ "s": { "x": { "a": [ 1 ] } } }';
    expect(editDocument(jsonEditor, text, ['s', 'x'], { a: [1] })).toBe(text);
  });
});

describe('TOML', () => {
  const text = '# top\n[a.x] # mine\nk = 1\n\n[a.x.env]\nT = "1"\n\n# of b\n[b]\nk = 2\n';

  it('a table goes with those below it, and comments of the next one stay', () => {
    expect(editDocument(tomlEditor, text, ['a', 'x'], undefined)).toBe('# top\n\n# of b\n[b]\nk = 2\n');
  });

  it('a table is appended', () => {
    expect(editDocument(tomlEditor, text, ['a', 'y'], ENTRY)).toBe(
      `${text}\n[a.y]\ncommand = "npx"\nargs = [ "-y", "x" ]\n`,
    );
  });

  it('names that need quotes are found', () => {
    const quoted = '[a."x y"]\nk = 1\n';
    expect(editDocument(tomlEditor, quoted, ['a', 'x y'], undefined)).toBe('');
  });

  it('a shape that cannot be edited as text is refused', () => {
    expect(() => editDocument(tomlEditor, 'a = { x = { k = 1 } }\n', ['a', 'x'], undefined)).toThrow(
      DocumentError,
    );
  });
});

describe('YAML', () => {
  const text = 'top: 1 # one\nservers:\n  # of a\n  a:\n    cmd: x # two\n  b: { cmd: y }\nend: [1]\n';

  it('an entry is put in with the indentation there is', () => {
    const after = editDocument(yamlEditor, text, ['servers', 'c'], { cmd: 'z' });
    expect(after).toBe(text.replace('servers:\n', 'servers:\n  c:\n    cmd: z\n'));
    expect(editDocument(yamlEditor, after, ['servers', 'c'], undefined)).toBe(text);
  });

  it('an entry is replaced', () => {
    const after = editDocument(yamlEditor, text, ['servers', 'b'], { cmd: 'z' });
    expect(yamlEditor.parse(after)).toEqual({
      top: 1,
      servers: { a: { cmd: 'x' }, b: { cmd: 'z' } },
      end: [1],
    });
    expect(after).toContain('# two');
  });

  it('an empty list takes an entry', () => {
    const after = editDocument(yamlEditor, 'servers: {}\n', ['servers', 'c'], { cmd: 'z' });
    expect(yamlEditor.parse(after)).toEqual({ servers: { c: { cmd: 'z' } } });
  });
});

describe('JSON on one line', () => {
  const text = '{\n  "s": { "a": 1, "b": [1] } // note\n}\n';

  it('stays on one line with one more value', () => {
    const after = editDocument(jsonEditor, text, ['s', 'x'], true);
    expect(after).toBe('{\n  "s": { "a": 1, "b": [1], "x": true } // note\n}\n');
    expect(editDocument(jsonEditor, after, ['s', 'x'], undefined)).toBe(text);
  });

  it('stays on one line without its first value', () => {
    expect(editDocument(jsonEditor, text, ['s', 'a'], undefined)).toBe('{\n  "s": { "b": [1] } // note\n}\n');
  });
});

describe('an entry is put into JSON, and every byte around it stays', () => {
  it.each([
    [
      'a file on one line',
      '{"a":[1,2],"s":{"o":{"k":1}}}\n',
      '{"a":[1,2],"s":{"o":{"k":1}, "x": { "command": "npx", "args": ["-y", "x"] }}}\n',
    ],
    [
      'one line without entries',
      '{"a": [1,2], "s": {}}',
      '{"a": [1,2], "s": { "x": { "command": "npx", "args": ["-y", "x"] } }}',
    ],
    [
      'entries on one line in a file of lines',
      '{\n  "s": {"o":{"k":[1,2]}}\n}\n',
      '{\n  "s": {"o":{"k":[1,2]}, "x": { "command": "npx", "args": ["-y", "x"] }}\n}\n',
    ],
    [
      'a list of servers that is not there yet',
      '{\n    "a": [1,2] // one\n}\n',
      '{\n    "a": [1,2], // one\n    "s": {\n        "x": {\n            "command": "npx",\n            "args": [\n                "-y",\n                "x"\n            ]\n        }\n    }\n}\n',
    ],
    [
      'an object that holds a comment alone',
      '{\n  "s": { // none yet\n  }, "a": [1,2]\n}\n',
      '{\n  "s": { // none yet\n    "x": {\n      "command": "npx",\n      "args": [\n        "-y",\n        "x"\n      ]\n    }\n  }, "a": [1,2]\n}\n',
    ],
    ['null', '{"a":[1,2],"s":null}', '{"a":[1,2],"s":{ "x": { "command": "npx", "args": ["-y", "x"] } }}'],
  ])('%s', (_, text, expected) => {
    expect(editDocument(jsonEditor, text, ['s', 'x'], ENTRY)).toBe(expected);
  });
});

describe('what is no object where servers are to stand is told with its position, and kept', () => {
  it.each([
    {
      what: 'a list of JSON',
      editor: jsonEditor,
      text: '{\n  "a": 1, "s": []\n}',
      at: [2, 11],
      is: 'a list',
    },
    { what: 'a text of JSON', editor: jsonEditor, text: '{"s": "x"}', at: [1, 2], is: 'a string' },
    { what: 'a list of YAML', editor: yamlEditor, text: 'a: 1\ns:\n  - x\n', at: [2, 1], is: 'a list' },
    { what: 'a number of TOML', editor: tomlEditor, text: 'a = 1\ns = 5\n', at: [2, 1], is: 'a number' },
  ])('$what', ({ editor, text, at: [line, column], is: kind }) => {
    const reported = {
      name: 'DocumentError',
      position: { line, column },
      message: expect.stringContaining(`not ${kind}`) as string,
    };
    expect(() => editDocument(editor, text, ['s', 'x'], ENTRY)).toThrow(expect.objectContaining(reported));
  });
});
