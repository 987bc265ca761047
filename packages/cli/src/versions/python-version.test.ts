import { expect, it } from 'vitest';

import { isOlderPythonVersion } from './python-version.js';

/** Each row has versions that are the same, and comes before the next row. */
const IN_ORDER = [
  ['0.9'],
  ['1.0.dev1', '1.0.0-dev1'],
  ['1.0a1.dev1'],
  ['1.0a1', '1.0.0alpha1'],
  ['1.0a2'],
  ['1.0a10'],
  ['1.0b1', '1.0-beta.1'],
  ['1.0rc1', '1.0c1', '1.0.pre1'],
  ['1.0rc1.post2'],
  ['1', '1.0', '1.0.0', 'v1.0', '1.0+local.2'],
  ['1.0.post1.dev2'],
  ['1.0.post1', '1.0-1'],
  ['1.0.post10'],
  ['1.0.1'],
  ['1.9'],
  ['1.10'],
  ['2.0.0rc1'],
  ['2.0.0'],
  ['2026.10.19'],
  ['1!0.1'],
];

it('versions of Python have the order of PEP 440', () => {
  const all = IN_ORDER.flatMap((versions, at) => versions.map((version) => ({ version, at })));
  for (const { version, at } of all)
    for (const other of all)
      expect([version, other.version, isOlderPythonVersion(version, other.version)]).toEqual([
        version,
        other.version,
        at < other.at,
      ]);
});

it('a text that is no version has no order', () => {
  expect([isOlderPythonVersion('main', '1.0'), isOlderPythonVersion('1.0', 'main')]).toEqual([false, false]);
});
