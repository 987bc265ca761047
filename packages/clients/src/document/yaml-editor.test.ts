import { describe, expect, it } from 'vitest';

import { DocumentError } from './document-error.js';
import { editDocument } from './edit-document.js';
import { yamlEditor } from './yaml-editor.js';

const PATH = ['extensions', 'new'];
const NEW = { cmd: 'x', args: ['-y'] };

function withNew(text: string): string {
  return editDocument(yamlEditor, text, PATH, NEW);
}

describe('an entry is put into YAML, and every byte around it stays but for spaces in braces', () => {
  it.each([
    ['no file', '', 'extensions:\n  new:\n    cmd: x\n    args:\n      - -y\n'],
    ['comments only', '# a\n\n\n', '# a\n\n\nextensions:\n  new:\n    cmd: x\n    args:\n      - -y\n'],
    [
      'an empty mapping with a comment',
      'a: 1   # one\nextensions: {} # c\nb:   2\n',
      'a: 1   # one\nextensions: # c\n  new:\n    cmd: x\n    args:\n      - -y\nb:   2\n',
    ],
    [
      'a key without a value',
      'extensions:\n# of b\nb: 1\n',
      'extensions:\n  new:\n    cmd: x\n    args:\n      - -y\n# of b\nb: 1\n',
    ],
    [
      'a null',
      'extensions: ~ # none\nb: 1\n',
      'extensions: # none\n  new:\n    cmd: x\n    args:\n      - -y\nb: 1\n',
    ],
    [
      'braces on one line',
      'b:   1\nextensions: { dev: { on:   true } } # c\n',
      'b:   1\nextensions: { dev: { on: true }, new: { cmd: x, args: [ -y ] } } # c\n',
    ],
    [
      'braces on several lines',
      'extensions: {\n  # of dev\n  dev: {on: true}, # d\n}\n',
      'extensions: {\n  # of dev\n  dev: { on: true },\n  new: { cmd: x, args: [ -y ] }\n} # d\n',
    ],
    ['braces at the top', '{a: 1}\n', '{ a: 1, extensions: { new: { cmd: x, args: [ -y ] } } }\n'],
    [
      'an indentation of four',
      'extensions:\n    dev:\n        on:   true\n',
      'extensions:\n    new:\n        cmd: x\n        args:\n            - -y\n    dev:\n        on:   true\n',
    ],
    [
      'line ends of Windows and a byte order mark',
      '\uFEFFa:   1\r\nextensions:\r\n  dev: # d\r\n    on:   true\r\n',
      '\uFEFFa:   1\r\nextensions:\r\n  new:\r\n    cmd: x\r\n    args:\r\n      - -y\r\n  dev: # d\r\n    on:   true\r\n',
    ],
    [
      'a last line without an end',
      'a:   1',
      'a:   1\nextensions:\n  new:\n    cmd: x\n    args:\n      - -y\n',
    ],
    [
      'strings of several kinds',
      "a: \"\\u00e9\"\nb: 'it''s'\nc: >-\n  folded\n  text\nextensions:\n  dev: {}\n",
      "a: \"\\u00e9\"\nb: 'it''s'\nc: >-\n  folded\n  text\nextensions:\n  new:\n    cmd: x\n    args:\n      - -y\n  dev: {}\n",
    ],
  ])('%s', (_, text, expected) => {
    expect(withNew(text)).toBe(expected);
  });
});

describe('an entry is taken out of YAML, and every byte around it stays but for spaces in braces', () => {
  it.each([
    ['the only one', 'extensions: # c\n  new:\n    cmd: x # n\nb:   1\n', 'extensions: {} # c\nb:   1\n'],
    [
      'the last one',
      'extensions:\n  dev: { on:  true }\n  new:\n    cmd: x\n',
      'extensions:\n  dev: { on:  true }\n',
    ],
    ['the only one in braces', 'extensions: { new: {cmd: x} } # c\n', 'extensions: {} # c\n'],
    [
      'the last one in braces',
      'extensions: {dev: {on:  true}, new: {cmd: x}}\n',
      'extensions: { dev: { on: true } }\n',
    ],
    [
      'one with lines of Windows',
      'extensions:\r\n  new:\r\n    cmd: |\r\n      x\r\n  # of dev\r\n  dev:   {}\r\n',
      'extensions:\r\n  # of dev\r\n  dev:   {}\r\n',
    ],
  ])('%s', (_, text, expected) => {
    expect(editDocument(yamlEditor, text, PATH, undefined)).toBe(expected);
  });
});

it('a mapping in braces keeps the comments and long numbers that it has', () => {
  const text =
    'extensions: { # of all\n  a: 12345678901234567890, # of a\n  # of b\n  b: {k: 0x1F} # end\n} # c\nb: 1\n';
  const after = withNew(text);
  expect(after).toContain('12345678901234567890');
  expect(after.match(/# [\w ]+/g)?.toSorted()).toEqual(text.match(/# [\w ]+/g)?.toSorted());
});

it('an entry is replaced where it stands', () => {
  const text = 'extensions:\n  a:   {}\n  new: { cmd: old } # o\n  # of b\n  b:   {}\n';
  expect(withNew(text)).toBe(
    'extensions:\n  a:   {}\n  new:\n    cmd: x\n    args:\n      - -y\n  # of b\n  b:   {}\n',
  );
  expect(withNew('extensions: {new: {cmd: old}, b:   1}\n')).toBe(
    'extensions: { new: { cmd: x, args: [ -y ] }, b: 1 }\n',
  );
});

describe('YAML that cannot be edited as text is refused', () => {
  it.each([
    ['an alias', 'base: &b\n  dev: {}\nextensions: *b\n'],
    ['an anchor on the mapping', 'extensions: &x {}\n'],
    ['an explicit key', '? extensions\n: dev: 1\n'],
    ['a list', 'extensions:\n  - dev\n'],
    ['a text', 'extensions: none\n'],
    ['an end of the document', 'a: 1\n...\n'],
  ])('%s', (_, text) => {
    expect(() => withNew(text)).toThrow(DocumentError);
  });

  it('an entry that others refer to is not taken out', () => {
    const text = 'extensions:\n  new:\n    cmd: &c x\n  dev:\n    cmd: *c\n';
    expect(() => editDocument(yamlEditor, text, PATH, undefined)).toThrow('mcpmux cannot edit this layout');
  });
});
