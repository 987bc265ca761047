import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseClientPolicy } from './client-policy.js';

const CWD = '/home/ann/app';
const state = (parts: object): object => ({ sandboxCwd: CWD, useLegacyLandlock: false, ...parts });
const managed = (files: unknown, network = 'restricted'): object =>
  state({ permissionProfile: { type: 'managed', file_system: files, network } });
const restricted = (...entries: readonly object[]): object => managed({ type: 'restricted', entries });
const special = (kind: string, access: string, more = {}): object => ({
  path: { type: 'special', value: { kind, ...more } },
  access,
});
const path = (name: string, access: string): object => ({ path: { type: 'path', path: name }, access });
const ROOT = special('root', 'read');

/** Returns what a description gives, with the access as an object. */
function read(description: unknown): unknown {
  const policy = parseClientPolicy(description);
  return 'problem' in policy ? policy.problem : { ...policy, access: Object.fromEntries(policy.access) };
}

const READ_ONLY = { network: false, access: { '/': 'read' } };
const OPEN = { network: true, access: { '/': 'write' } };
const writable = (folder: string): object => ({
  [folder]: 'write',
  [`${folder}/.git`]: 'read',
  [`${folder}/.agents`]: 'read',
  [`${folder}/.codex`]: 'read',
});

describe('a permission profile of Codex', () => {
  it.each<[string, object, unknown]>([
    ['read-only', restricted(ROOT), READ_ONLY],
    [
      'workspace',
      restricted(ROOT, special('project_roots', 'write'), special('tmpdir', 'write')),
      { network: false, access: { '/': 'read', ...writable(CWD) } },
    ],
    [
      'paths, urls, subpaths, and two rules for one path',
      restricted(
        ROOT,
        path('/data/', 'write'),
        path('file:///data/a%20b', 'deny'),
        special('project_roots', 'none', { subpath: 'keys' }),
        path('/data/x', 'write'),
        path('/data/x', 'read'),
        path('/data/.git', 'write'),
      ),
      {
        network: false,
        access: {
          '/': 'read',
          ...writable('/data'),
          '/data/a b': 'none',
          [`${CWD}/keys`]: 'none',
          ...writable('/data/x'),
          ...writable('/data/.git'),
        },
      },
    ],
    [
      'a network',
      managed({ type: 'restricted', entries: [ROOT] }, 'enabled'),
      { ...READ_ONLY, network: true },
    ],
    ['all files', managed({ type: 'unrestricted' }), { ...OPEN, network: false }],
    ['no sandbox', state({ permissionProfile: { type: 'disabled' } }), OPEN],
    [
      'a sandbox of another program',
      state({ permissionProfile: { type: 'external', network: 'enabled' } }),
      { ...READ_ONLY, network: true },
    ],
    ['a right that is not known', restricted(ROOT, special('dreams', 'write')), READ_ONLY],
    ['the minimal paths', restricted(ROOT, special('minimal', 'read')), READ_ONLY],
    [
      'a profile and a policy',
      { ...restricted(ROOT), sandboxPolicy: { type: 'danger-full-access' } },
      READ_ONLY,
    ],
  ])('with %s', (_, description, expected) => {
    expect(read(description)).toEqual(expected);
  });
});

describe('a policy of an older Codex', () => {
  it.each<[object, unknown]>([
    [{ type: 'danger-full-access' }, OPEN],
    [{ type: 'read-only' }, READ_ONLY],
    [
      { type: 'read-only', access: { type: 'full-access' }, network_access: true },
      { ...READ_ONLY, network: true },
    ],
    [{ type: 'external-sandbox', network_access: 'restricted' }, READ_ONLY],
    [
      { type: 'external-sandbox', network_access: 'enabled' },
      { ...READ_ONLY, network: true },
    ],
    [
      { type: 'workspace-write', writable_roots: ['/data'], network_access: true, exclude_slash_tmp: true },
      { network: true, access: { '/': 'read', ...writable(CWD), ...writable('/data') } },
    ],
    [
      { type: 'workspace-write' },
      { network: false, access: { '/': 'read', ...writable(CWD), ...writable('/tmp') } },
    ],
  ])('%j', (policy, expected) => {
    expect(read(state({ sandboxPolicy: policy }))).toEqual(expected);
  });
});

describe('a description that no server can follow is a problem', () => {
  it.each<[unknown, string]>([
    [null, 'is null, which another mcpmux in front writes'],
    [[], 'is not an object'],
    [{}, 'has a path of an unknown form: undefined'],
    [{ ...state({}), sandboxCwd: 'app' }, 'has a path of an unknown form: "app"'],
    [{ ...state({}), sandboxCwd: 'file://other/app' }, 'has a path of an unknown form: "file://other/app"'],
    [restricted(ROOT, path('file:///data/a%2Fb', 'write')), 'has a path of an unknown form'],
    [state({}), 'has neither a profile nor a policy'],
    [state({ sandboxPolicy: { type: 'dream' } }), 'has a policy of the unknown type "dream"'],
    [state({ permissionProfile: { type: 'dream', network: 'enabled' } }), 'unknown type "dream"'],
    [managed({ type: 'dream' }), 'has a file_system of the unknown type "dream"'],
    [managed({ type: 'restricted', entries: [ROOT] }, 'proxied'), 'has the unknown network "proxied"'],
    [restricted(ROOT, path('/data', 'append')), 'has the unknown access "append"'],
    [restricted(special('minimal', 'read')), 'limits what may be read'],
    [restricted(special('root', 'none')), 'limits what may be read'],
    [restricted(ROOT, special('dreams', 'deny')), 'limits paths in a way that servers cannot have'],
    [restricted(special('root', 'write'), special('tmpdir', 'read')), 'limits paths in a way'],
    [
      restricted(ROOT, { path: { type: 'glob_pattern', pattern: '**/.env' }, access: 'deny' }),
      'limits paths',
    ],
    [
      state({ sandboxPolicy: { type: 'read-only', access: { type: 'restricted' } } }),
      'limits what may be read',
    ],
    [state({ sandboxPolicy: { type: 'workspace-write', writable_roots: '/' } }), 'writable roots'],
    [
      state({ sandboxPolicy: { type: 'workspace-write', writable_roots: Array(500).fill('/a') } }),
      'has more than 500 rules for paths',
    ],
  ])('%j', (description, problem) => {
    expect(read(description)).toContain(problem);
  });

  it('and never an exception, nor a right to write that no known word gives', () => {
    const words = fc.constantFrom(
      'read-only',
      'workspace-write',
      'managed',
      'restricted',
      'read',
      'none',
      'root',
    );
    const json = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        words,
        fc.jsonValue(),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom(
            'type',
            'permissionProfile',
            'file_system',
            'network',
            'entries',
            'path',
            'access',
            'value',
          ),
          tie('any'),
          { maxKeys: 4 },
        ),
      ),
    })).any;
    fc.assert(
      fc.property(json, (profile) => {
        const policy = parseClientPolicy(state({ permissionProfile: profile }));
        if ('problem' in policy) return;
        expect([...policy.access.values()]).not.toContain('write');
      }),
    );
  });
});
