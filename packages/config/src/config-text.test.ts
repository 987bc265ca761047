import { expect, it } from 'vitest';

import { formatPath, formatProblem, sortedByPosition } from './config-problem.js';
import { parseConfigText } from './config-text.js';

it('takes comments, trailing commas and a byte order mark', () => {
  const { value, syntaxErrors } = parseConfigText('c.json', '\uFEFF{ // one\n "a": [1, 2,], /* two */ }');
  expect(value).toEqual({ a: [1, 2] });
  expect(syntaxErrors).toEqual([]);
  const broken = parseConfigText('c.json', '\uFEFF{ a: 1 }');
  expect(broken.syntaxErrors).toMatchObject([{ line: 1, column: 3 }]);
});

it.each([
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'expected ","'],
  ['{\n  "a" 1\n}', 2, 7, 'expected ":"'],
  ['{ a: 1 }', 1, 3, 'expected a'],
  ['{ "a": "C:\\Users" }', 1, 8, 'a path of Windows'],
  ['{ "a": [1, 2 }', 1, 14, 'expected'],
  ['{ "a": "b', 1, 8, 'expected a closing double quote'],
  ['', 1, 1, 'expected a value'],
  ['{}\r\n}', 2, 1, 'expected the end of the file'],
])('says where %j is broken and what was expected', (text, line, column, expected) => {
  const { syntaxErrors } = parseConfigText('c.json', text);
  expect(syntaxErrors).toEqual([
    expect.objectContaining({
      file: 'c.json',
      line,
      column,
      message: expect.stringContaining(expected) as string,
    }),
  ]);
});

it('points at a setting by its key, at an element by itself, at the parent of what is missing', () => {
  const { report } = parseConfigText('c.json', '{\n  "a": {\n    "b": ["x",\n      "y"]\n  }\n}');
  expect(report('error', ['a', 'b'], 'm')).toMatchObject({ line: 3, column: 5, path: 'a.b' });
  expect(report('error', ['a', 'b', 1], 'm')).toMatchObject({ line: 4, column: 7, path: 'a.b[1]' });
  expect(report('error', ['a', 'nowhere', 'z'], 'm')).toMatchObject({ line: 2, column: 3 });
});

it('finds keys that stand twice', () => {
  const { repeatedKeys } = parseConfigText('c.json', '{"a": {"x": 1, "x": 2}, "b": [{"x": 1}, {"x": 1}]}');
  expect(repeatedKeys).toEqual([['a', 'x']]);
});

it('writes a problem as compilers do, with keys that are no words quoted', () => {
  const { report } = parseConfigText('/etc/c.json', '{"mcpServers": {"a b": {"args": [1]}}}');
  const problem = report('warning', ['mcpServers', 'a b', 'args', 0], 'expected a string');
  expect(formatProblem(problem)).toBe(
    '/etc/c.json:1:34: warning: mcpServers["a b"].args[0]: expected a string',
  );
  expect(formatPath(['a\u001B[2J'])).not.toContain('\u001B');
});

it('orders problems by their place', () => {
  const { report } = parseConfigText('c.json', '{\n"a": 1, "b": 2,\n"c": 3}');
  const order = sortedByPosition(['c', 'b', 'a'].map((key) => report('error', [key], 'm')));
  expect(order.map(({ path }) => path)).toEqual(['a', 'b', 'c']);
});
