import { afterEach, beforeEach, expect, it } from 'vitest';
import { getConfigValue, setConfigValue, unsetConfigValue } from './config-values.js';
import { TemporaryHome } from './testing/temporary-home.js';

const FILE = '.config/mcpmux/config.json';
let home: TemporaryHome;
beforeEach(() => {
  home = new TemporaryHome();
  home.write(FILE, {
    mcpServers: {
      a: { command: 'x', args: ['--token', 'hunter2'], env: { KEY: 'hunter3', HOST: '${HOST}' } },
    },
    profiles: { work: ['a'] },
  });
});
afterEach(() => home[Symbol.dispose]());

it('a value is read by its path, without secrets', () => {
  getConfigValue(home.context(), ['profiles.work[0]'], {});
  expect(home.out).toBe('a\n');
  getConfigValue(home.context(), [], {});
  getConfigValue(home.context(), ['mcpServers.a.env'], {});
  expect(home.out).toContain('"HOST": "${HOST}"');
  expect(home.out).not.toMatch(/hunter/);
});

it('a value is written as JSON or as a text, and removed', async () => {
  expect(await setConfigValue(home.context(), ['mcpServers.a.mux.lazy', 'true'], {})).toBe(0);
  expect(await setConfigValue(home.context(), ['mcpServers.a.cwd', '/tmp'], {})).toBe(0);
  expect(await unsetConfigValue(home.context(), ['profiles'], {})).toBe(0);
  expect(JSON.parse(home.read(FILE))).toMatchObject({
    mcpServers: { a: { mux: { lazy: true }, cwd: '/tmp' } },
  });
  expect(home.read(FILE)).not.toContain('profiles');
  expect(home.err).toContain('Set mcpServers.a.mux.lazy in');
});

it('a value that makes the config worse is refused, and nothing is written', async () => {
  const before = home.read(FILE);
  await expect(setConfigValue(home.context(), ['mcpServers.a.mux.lazy', 'maybe'], {})).rejects.toMatchObject({
    failure: { code: 'INVALID_VALUE' },
  });
  expect(home.read(FILE)).toBe(before);
});

it('a place that is none, and one without a value, are told', async () => {
  await expect(async () => getConfigValue(home.context(), ['a..b'], {})).rejects.toMatchObject({
    failure: { code: 'USAGE' },
  });
  await expect(async () => getConfigValue(home.context(), ['mcpServers.b'], {})).rejects.toMatchObject({
    failure: { code: 'NOT_FOUND' },
  });
});

it('a secret in clear is warned of', async () => {
  await setConfigValue(home.context(), ['mcpServers.a.env.GITHUB_TOKEN', 'ghp_0123456789abcdef'], {});
  expect(home.err).toContain('mcpmux secret set');
  expect(home.err).not.toContain('ghp_');
});
