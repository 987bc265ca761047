import { describe, expect, it } from 'vitest';

import { type Keyring, loadConfig } from '@mcpmux/config';

import { add } from './add.js';
import { importServers } from './import.js';
import { listSecrets, removeSecrets, setSecret, type SecretDependencies } from './secret.js';
import { TemporaryHome } from './testing/temporary-home.js';

const VALUE = 'hunter2-planted';

/** A keyring in memory. */
function kept(): Keyring & { readonly secrets: Map<string, string> } {
  const secrets = new Map<string, string>();
  return {
    secrets,
    get: (name) => secrets.get(name),
    set: (name, value) => void secrets.set(name, value),
    remove: (name) => secrets.delete(name),
    listNames: () => [...secrets.keys()].toSorted(),
  };
}

function parts(keyring: Keyring, value = VALUE): SecretDependencies {
  return { keyring, readSecretValue: () => Promise.resolve(value) };
}

describe('secrets of the keyring', () => {
  it('are saved, listed by name and removed; no value is shown', async () => {
    using home = new TemporaryHome();
    const keyring = kept();
    expect(await setSecret(home.context(), ['GH'], {}, parts(keyring))).toBe(0);
    expect(home.err).toContain('${secret:GH}');
    expect(listSecrets(home.context(), [], {}, parts(keyring))).toBe(0);
    expect(home.out).toBe('GH\n');
    expect(removeSecrets(home.context(), ['GH'], {}, parts(keyring))).toBe(0);
    expect(keyring.secrets.size).toBe(0);
    expect(home.err + home.out).not.toContain(VALUE);
  });

  it('an empty value, a bad name and a name that is not there are refused', async () => {
    using home = new TemporaryHome();
    const keyring = kept();
    await expect(setSecret(home.context(), ['A'], {}, parts(keyring, ''))).rejects.toThrow('is empty');
    await expect(setSecret(home.context(), ['a b'], {}, parts(keyring))).rejects.toThrow('no name');
    expect(() => removeSecrets(home.context(), ['A'], {}, parts(keyring))).toThrow('no secret A');
  });

  it('a keyring that cannot be used is told, with what to do instead', () => {
    using home = new TemporaryHome();
    const broken = {
      ...kept(),
      listNames: () => {
        throw new Error('no storage');
      },
    };
    expect(() => listSecrets(home.context(), [], {}, parts(broken))).toThrow(
      'the keyring of this machine cannot be used (no storage), so no secret can be saved',
    );
    // the keyring of a system without one answers that the secret is missing
    expect(() => removeSecrets(home.context(), ['A'], {}, parts(broken))).toThrow(
      'cannot be used (no storage)',
    );
  });
});

describe('${secret:NAME} in a config', () => {
  it('is the value of the keyring; one that is not there is an error of its server alone', () => {
    using home = new TemporaryHome();
    const servers = {
      gh: { command: 'x', env: { TOKEN: 'Bearer ${secret:GH}' } },
      other: { command: 'x', env: { TOKEN: '${secret:NOPE}' } },
      shown: { command: 'x', args: ['${secret:GH}'] },
    };
    const file = home.write('c.json', { mcpServers: servers });
    const keyring = kept();
    keyring.set('GH', VALUE);
    const loaded = loadConfig({ file, origin: 'flag', folder: home.home }, { ...home.context(), keyring });
    expect(loaded.servers).toMatchObject([
      { status: 'ready', config: { env: { TOKEN: `Bearer ${VALUE}` } } },
      { status: 'misconfigured', problem: expect.stringContaining('mcpmux secret set NOPE') as string },
      { status: 'ready' },
    ]);
    expect(loaded.problems.map(({ message }) => message).join('\n')).toContain('pass secrets in "env"');
    expect(JSON.stringify(loaded.problems)).not.toContain(VALUE);
  });

  it('a keyring that fails is an error of the server, with the reason', () => {
    using home = new TemporaryHome();
    const file = home.write('c.json', { mcpServers: { gh: { command: 'x', env: { T: '${secret:GH}' } } } });
    const keyring = {
      get: () => {
        throw new Error('locked');
      },
    };
    const { servers } = loadConfig(
      { file, origin: 'flag', folder: home.home },
      { ...home.context(), keyring },
    );
    expect(servers).toMatchObject([{ problem: expect.stringContaining('(locked)') as string }]);
  });
});

it('a secret in clear that is added or imported is warned of; so is a variable that is not set', async () => {
  using home = new TemporaryHome();
  await add(home.context(), ['gh', 'x'], { env: [`GITHUB_TOKEN=${VALUE}`] });
  expect(home.err).toContain('gh has a secret in clear in the config: GITHUB_TOKEN.');
  await add(home.context(), ['nope', 'x'], { env: ['A=${MCPMUX_TEST_NOPE}'] });
  const missing = home.err;
  expect(missing).toContain('nope needs MCPMUX_TEST_NOPE, which is not set here');
  expect(missing).toContain('Next: mcpmux doctor nope');
  home.write('.cursor/mcp.json', { mcpServers: { mine: { command: 'y', env: { API_KEY: VALUE } } } });
  await importServers(home.context(), ['cursor'], {});
  const { err } = home;
  expect(err).toContain('mine has a secret in clear in the config: API_KEY.');
  expect(err).not.toContain(VALUE);
});
