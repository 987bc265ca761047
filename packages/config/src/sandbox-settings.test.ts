import { resolve } from 'node:path';
import process from 'node:process';

import { describe, expect, it } from 'vitest';

import { loadConfig } from './load-config.js';
import type { LoadedConfig } from './loaded-config.js';

const FOLDER = resolve('/home/ann/app');

function load(config: object): LoadedConfig {
  const location = { file: resolve(FOLDER, 'mcpmux.json'), origin: 'project', folder: FOLDER } as const;
  const places = { environment: { OUT: '/data/out' }, home: '/home/ann', cwd: FOLDER };
  return loadConfig(location, places, () => JSON.stringify(config));
}

function sandboxOf(entry: object, top: object = {}): unknown {
  const [server] = load({ ...top, mcpServers: { a: { command: 'a', ...entry } } }).servers;
  if (server?.status !== 'ready') throw new Error(JSON.stringify(server));
  return 'sandbox' in server.config ? server.config.sandbox : undefined;
}

const NONE = { filesystem: {} };
const NETWORK = { filesystem: {}, network: true };

describe('an entry is confined', () => {
  it.each<[object, object, unknown]>([
    [{}, {}, undefined],
    [{ sandbox: true }, {}, NONE],
    [{ sandbox: {} }, {}, NONE],
    [{ sandboxEnabled: true }, {}, NONE],
    [{ mux: { sandbox: true } }, {}, NONE],
    [{ sandbox: 'off' }, {}, undefined],
    [{ sandbox: false }, {}, undefined],
    [{ sandbox: { network: true }, sandboxEnabled: false }, {}, undefined],
    [{ sandbox: { network: true } }, {}, NETWORK],
    [{}, { mux: { sandbox: true } }, NONE],
    [{}, { mux: { sandbox: { network: true } } }, NETWORK],
    [{ sandbox: true }, { mux: { sandbox: { network: true } } }, NETWORK],
    [
      { sandbox: { network: false } },
      { mux: { sandbox: { network: true } } },
      { filesystem: {}, network: false },
    ],
    [{ sandbox: 'off' }, { mux: { sandbox: true } }, undefined],
    [{ sandboxEnabled: false }, { mux: { sandbox: true } }, undefined],
    [{ sandboxEnabled: true }, { sandbox: { network: true } }, NETWORK],
    [{}, { sandbox: { network: true } }, undefined],
    [{ sandbox: true }, { sandbox: { network: true } }, NONE],
    [{}, { sandbox: { network: true }, mux: { sandbox: true } }, NONE],
    [{ sandboxEnabled: true }, { sandbox: { network: true }, mux: { sandbox: true } }, NETWORK],
    [{ sandboxEnabled: true }, { sandbox: false }, NONE],
    [{ sandbox: { follow: 'client' } }, {}, { filesystem: {}, follow: 'client' }],
    [{}, { mux: { sandbox: { follow: 'client' } } }, { filesystem: {}, follow: 'client' }],
  ])('%j in a config with %j', (entry, top, expected) => {
    expect(sandboxOf(entry, top)).toEqual(expected);
  });
});

// mcpmux has no sandbox on Windows
it.skipIf(process.platform === 'win32')(
  'paths are absolute: from the working directory, from home, and by placeholders',
  () => {
    const filesystem = { allowWrite: ['./out', '${OUT}', '${workspaceFolder}/x'], denyRead: ['~/notes'] };
    expect(sandboxOf({ sandbox: { filesystem }, cwd: '/srv' })).toEqual({
      filesystem: {
        allowWrite: ['/srv/out', '/data/out', `${FOLDER}/x`],
        denyRead: ['/home/ann/notes'],
      },
    });
  },
);

it('domains are those of VS Code', () => {
  const network = { allowedDomains: ['api.example.com', '*.npmjs.org'], deniedDomains: ['x.npmjs.org'] };
  expect(sandboxOf({ sandbox: { network } })).toEqual({ filesystem: {}, network });
});

describe('a fault in a sandbox starts nothing', () => {
  it.each([
    [{ netwrk: true }],
    [{ network: 'some' }],
    [{ network: { allowedDomains: ['*'] } }],
    [{ network: { allowedDomains: ['https://x.com/'] } }],
    [{ filesystem: { allowWrites: ['x'] } }],
    [{ filesystem: { denyRead: ['~/*.pem'] } }],
    [{ filesystem: { denyWrite: ['./src/**'] } }],
    ['on'],
  ])('of the entry: %j', (sandbox) => {
    const { servers, problems } = load({ mcpServers: { a: { command: 'a', sandbox } } });
    expect(servers[0]?.status).toBe('misconfigured');
    expect(problems.some(({ severity }) => severity === 'error')).toBe(true);
  });

  it.each([{ mux: { sandbox: 'on' } }, { mux: { sandbox: { x: 1 } } }, { sandbox: 'on' }])(
    'of the default: %j makes the whole config unusable',
    (top) => {
      const loaded = load({ ...top, mcpServers: { a: { command: 'a' } } });
      expect(loaded.isUsable).toBe(false);
      expect(loaded.servers).toEqual([]);
    },
  );
});

it.each([true, 'off', 'on'])(
  '%j at the top is not taken for the default, and says where that is',
  (sandbox) => {
    const { isUsable, problems } = load({ sandbox, mcpServers: { a: { command: 'a' } } });
    expect(isUsable).toBe(false);
    expect(problems[0]?.message).toContain('write it under "mux": { "mux": { "sandbox": true } }');
  },
);

it('a pattern says why it is refused', () => {
  const sandbox = { filesystem: { denyRead: ['~/*.pem'] } };
  const { problems } = load({ mcpServers: { a: { command: 'a', sandbox } } });
  expect(problems[0]?.message).toContain('a pattern would protect nothing');
});

it('a server at a url has none: it runs elsewhere', () => {
  const [server] = load({ mux: { sandbox: true }, mcpServers: { a: { url: 'https://a.com/mcp' } } }).servers;
  expect(server).toMatchObject({ status: 'ready' });
  expect(JSON.stringify(server)).not.toContain('sandbox');
});
