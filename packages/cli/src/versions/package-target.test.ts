import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { packageTarget, packageArgument } from './package-target.js';

const DIGEST = `sha256:${'a1'.repeat(32)}`;

describe('the package of a command line, and whether its version is exact', () => {
  it.each([
    ['npx -y @scope/name', 'npm', '@scope/name', undefined],
    ['npx -y @scope/name@1.2.3', 'npm', '@scope/name', '1.2.3'],
    ['npx name@1.2.3-beta.1 --flag', 'npm', 'name', '1.2.3-beta.1'],
    ['npx -y name@latest', 'npm', 'name', undefined],
    ['npx -y name@^1.2.3', 'npm', 'name', undefined],
    ['npx --package name@1.2.3 program', 'npm', 'name', '1.2.3'],
    ['cmd /c npx -y name', 'npm', 'name', undefined],
    ['C:\\nodejs\\npx.cmd -y name', 'npm', 'name', undefined],
    ['uvx name', 'pypi', 'name', undefined],
    ['uvx --python 3.12 --from name[cli]==2026.10.19 program', 'pypi', 'name[cli]', '2026.10.19'],
    ['uvx name@1.0', 'pypi', 'name', '1.0'],
    ['uvx name@latest', 'pypi', 'name', undefined],
    ['docker run -i --rm ghcr.io/a/b:v1', 'oci', 'ghcr.io/a/b:v1', undefined],
    [`docker run -it -e TOKEN --env=A=b -v /x:/y --name c a/b@${DIGEST} arg`, 'oci', 'a/b', DIGEST],
    [`podman run --pull always localhost:5000/a:v1@${DIGEST}`, 'oci', 'localhost:5000/a:v1', DIGEST],
  ])('%s', (line, kind, name, version) => {
    const [command, ...args] = line.split(' ');
    const target = packageTarget(command, args);
    expect(target).toMatchObject({ kind, name });
    expect(target?.version).toBe(version);
    expect(args[target?.index ?? -1]?.startsWith(name)).toBe(true);
  });
});

it.each([
  'node server.js',
  'npx',
  'npx -y',
  'npx --registry https://example.com name',
  'npx -y ./folder',
  'npx -y github:user/repo',
  'npx -y ${PACKAGE}',
  'uvx --index-url https://example.com name',
  'uvx git+https://example.com/x',
  'docker compose up',
  'docker run -e image',
])('no package is read from: %s', (line) => {
  const [command, ...args] = line.split(' ');
  expect(packageTarget(command, args)).toBeUndefined();
});

it('the word with another version is read back with that version, and no other word moves', () => {
  const kinds = fc.constantFrom(
    { command: 'npx', before: ['-y'], name: '@a/b-c', version: fc.constantFrom('1.2.3', '0.0.1-rc.2') },
    { command: 'uvx', before: ['-q'], name: 'a_b.c', version: fc.constantFrom('1', '2026.1.2', '1.0rc1') },
    { command: 'docker', before: ['run', '-i'], name: 'a/b:v1', version: fc.constant(DIGEST) },
  );
  const cases = kinds.chain((kind) =>
    fc.record({ kind: fc.constant(kind), version: kind.version, after: fc.array(fc.string()) }),
  );
  fc.assert(
    fc.property(cases, ({ kind: { command, before, name }, version, after }) => {
      const args = [...before, name, ...after];
      const target = packageTarget(command, args);
      if (target === undefined) throw new Error('no target');
      const changed = args.with(target.index, packageArgument(target, version));
      expect(packageTarget(command, changed)).toEqual({ ...target, version });
      expect(changed.toSpliced(target.index, 1)).toEqual(args.toSpliced(target.index, 1));
    }),
  );
});

it('words of any kind are read without an error', () => {
  const command = fc.oneof(fc.constantFrom('npx', 'uvx', 'docker', 'cmd', '__proto__'), fc.string());
  fc.assert(
    fc.property(
      command,
      fc.array(fc.oneof(fc.string(), fc.constantFrom('run', '-y', '/c'))),
      (first, args) => {
        const target = packageTarget(first, args);
        expect(target === undefined || target.index < args.length).toBe(true);
      },
    ),
  );
  expect(packageTarget(undefined, 'x')).toBeUndefined();
});
