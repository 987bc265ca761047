import { sep } from 'node:path';

import { describe, expect, it } from 'vitest';

import { interpolate, type InterpolationSources } from './interpolate.js';

const SOURCES: InterpolationSources = {
  environment: { TOKEN: 's3cret', EMPTY: '', NESTED: '${TOKEN}', ProgramFiles: 'C:\\P' },
  workspaceFolder: `${sep}home${sep}ann${sep}app`,
  home: '/home/ann',
  cwd: '/tmp/here',
  readFile: (path) => {
    if (path === '/run/secret') return 'from-file\n';
    throw Object.assign(new Error(`no ${path}`), { code: 'ENOENT' });
  },
};

function textOf(template: string): string {
  const { text, problems } = interpolate(template, SOURCES);
  expect(problems).toEqual([]);
  return text;
}

describe('interpolation', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['Bearer ${TOKEN}!', 'Bearer s3cret!'],
    ['${TOKEN}${TOKEN}', 's3crets3cret'],
    ['${env:TOKEN}', 's3cret'],
    ['${ProgramFiles}\\x', 'C:\\P\\x'],
    ['${EMPTY}', ''],
    ['${NONE:-fallback}', 'fallback'],
    ['${EMPTY:-fallback}', 'fallback'],
    ['${TOKEN:-fallback}', 's3cret'],
    ['${env:NONE:-fallback}', 'fallback'],
    ['${NONE:-}', ''],
    ['${NONE:-http://x:-y}', 'http://x:-y'],
    ['${NONE:-${TOKEN}}', 's3cret'],
    ['${NONE:-${NONE2:-deep}}/x', 'deep/x'],
    ['${file:/run/secret}', 'from-file'],
    ['${userHome}/x', '/home/ann/x'],
    ['${cwd}', '/tmp/here'],
    ['${workspaceFolderBasename}', 'app'],
    ['a${/}b${pathSeparator}c', `a${sep}b${sep}c`],
    ['$TOKEN', 's3cret'],
  ])('makes %j into %j', (template, text) => {
    expect(textOf(template)).toBe(text);
  });

  it.each([
    ['a dollar sign that begins nothing', 'a$b $ $$'],
    ['a bare variable inside a text', 'x $TOKEN'],
    ['a bare variable that is not set', '$NO_SUCH'],
    ['an open brace', '${TOKEN'],
    ['an expression of a shell', '${x##*/}'],
    ['an empty placeholder', '${}'],
  ])('leaves %s as it is', (_, template) => {
    expect(textOf(template)).toBe(template);
  });

  it('gives ${ for $${ and goes on behind it', () => {
    expect(textOf('$${TOKEN} ${TOKEN}')).toBe('${TOKEN} s3cret');
  });

  it('expands once: what a variable holds is taken as it is', () => {
    expect(textOf('${NESTED}')).toBe('${TOKEN}');
  });
});

describe('what is missing', () => {
  it.each([
    ['${NONE}', 'the environment variable NONE is not set'],
    ['${env:NONE}', 'the environment variable NONE is not set'],
    ['${TOKEN}${NONE:-${ALSO}}', 'the environment variable ALSO is not set'],
    ['${file:/no/file}', 'the file /no/file of ${file:...} cannot be read (ENOENT)'],
    ['${constructor}', 'the environment variable constructor is not set'],
    [
      '${input:api-key}',
      'the input api-key is not set: mcpmux secret set input.api-key, or the environment variable API_KEY',
    ],
    ['${command:x.y}', '${command:...} is no placeholder of mcpmux'],
  ])('of %j is told by name', (template, problem) => {
    expect(interpolate(template, SOURCES).problems).toEqual([problem]);
  });

  it('is told for every placeholder, and never with a value', () => {
    const { problems } = interpolate('${A1} ${TOKEN} ${B2}', SOURCES);
    expect(problems).toHaveLength(2);
    expect(problems.join(' ')).not.toContain('s3cret');
  });
});
