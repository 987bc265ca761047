import { expect, it } from 'vitest';

import { versionStatus } from './server-versions.js';

it.each([
  ['pypi', '1.0', '1.0.1', 'newer'],
  ['pypi', '2.0.0rc1', '2.0.0', 'newer'],
  ['pypi', '2.0.0rc1', '1.9', 'newest'],
  ['pypi', '1.0', '1.0.0', 'newest'],
  ['npm', '1.0.0', '1.0.1', 'newer'],
  ['npm', '2.0.0-rc.1', '1.9.0', 'newest'],
  ['oci', 'sha256:b', 'sha256:a', 'newer'],
] as const)('%s %s is with %s as the newest: %s', (kind, version, newest, status) => {
  const target = { kind, name: 'x', version, index: 0 };
  expect(versionStatus({ name: 's', path: ['mcpServers', 's'], target, newest })).toBe(status);
});
