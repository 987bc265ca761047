import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';

import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { loadConfig } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';

import { CatalogStore, catalogEntryOf } from './catalog-store.js';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'mcpmux-catalog-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const reported: string[] = [];
const reconciler = {
  adopt: (name: string) => void reported.push(`adopt ${name}`),
  disown: (name: string) => void reported.push(`disown ${name}`),
};

function locationOf(text: string): ConfigLocation {
  const file = join(folder, 'catalog.json');
  writeFileSync(file, text);
  return { file, origin: 'flag', folder };
}

function reload(location: ConfigLocation, environment: Readonly<Record<string, string>> = {}): object {
  const { servers, problems } = loadConfig(location, { environment, home: '/h', cwd: folder });
  return { servers, problems };
}

describe('a server that an agent has kept', () => {
  it('is started again as the agent asked for it, whatever looks like a placeholder in it', async () => {
    const location = locationOf('{ "mcpServers": {} }');
    const config = {
      command: 'npx',
      args: ['-y', '${HERE}', '$HERE', '$${x}'],
      env: { KEY: '$HERE' },
      cwd: folder,
      inheritEnv: 'none',
      restart: 'always',
      startTimeoutMs: 5,
    } as const;
    await new CatalogStore(location, reconciler).save('my server', config);
    expect(reload(location, { HERE: '/x' })).toMatchObject({
      problems: [],
      servers: [{ name: 'my server', status: 'ready', config }],
    });
    expect(reported.splice(0)).toEqual(['adopt my server']);
  });

  it('keeps its sandbox letter by letter, whatever looks like a placeholder in a path', () => {
    const part = fc.array(fc.constantFrom('$', '{', '}', 'HERE', '${HERE}', ':', '-', 'a'), { minLength: 1 });
    const paths = fc.array(
      part.map((texts) => resolve('/', texts.join(''))),
      { maxLength: 3 },
    );
    const filesystem = fc.record({ allowRead: paths, allowWrite: paths, denyRead: paths, denyWrite: paths });
    fc.assert(
      fc.property(filesystem, (files) => {
        const config = { command: 'x', cwd: folder, sandbox: { filesystem: files, network: false } };
        const text = JSON.stringify({ mcpServers: { a: catalogEntryOf('a', config, folder) } });
        expect(reload(locationOf(text), { HERE: '/x' })).toMatchObject({
          problems: [],
          servers: [{ status: 'ready', config }],
        });
      }),
      { numRuns: 200 },
    );
  });

  it('at a url is connected to again', async () => {
    const location = locationOf('{}');
    const config = {
      url: 'https://example.com/mcp?a=${HERE}',
      headers: { Authorization: 'Bearer $HERE' },
      transport: 'sse',
      callTimeoutMs: 7,
      publicOnly: true,
    } as const;
    await new CatalogStore(location, undefined).save('far', config);
    expect(reload(location, { HERE: '/x' })).toMatchObject({
      problems: [],
      servers: [{ name: 'far', status: 'ready', config }],
    });
  });

  it.skipIf(process.platform === 'win32')('with headers is in a file for its user alone', async () => {
    const location = locationOf('{}');
    chmodSync(location.file, 0o644);
    const config = { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer $HERE' } };
    await new CatalogStore(location, undefined).save('far', config);
    expect(statSync(location.file).mode & 0o777).toBe(0o600);
  });

  it('is found where mcpmux was, not where the next one is', async () => {
    const location = locationOf('{}');
    await new CatalogStore(location, undefined).save('a', { command: './x', cwd: 'sub' });
    const elsewhere = { ...location, folder: '/elsewhere' };
    expect(reload(elsewhere)).toMatchObject({ servers: [{ config: { cwd: join(folder, 'sub') } }] });
  });

  it('takes nothing else out of the file, and leaves nothing behind', async () => {
    const text = '{\n  // mine\n  "mcpServers": {\n    "own": { "command": "x" }\n  }\n}\n';
    const location = locationOf(text);
    const store = new CatalogStore(location, reconciler);
    await store.save('a', { command: 'x' });
    await store.save('a', { command: 'y' });
    expect(reload(location)).toMatchObject({ servers: [{ name: 'own' }, { config: { command: 'y' } }] });
    reported.length = 0;
    await expect(store.delete('a')).resolves.toBe(true);
    expect(reported.splice(0)).toEqual(['disown a']);
    expect(readFileSync(location.file, 'utf8')).toBe(text);
  });

  it.skipIf(process.platform === 'win32')('with variables, is for the eyes of its owner alone', async () => {
    const location = locationOf('{}');
    chmodSync(location.file, 0o644);
    const store = new CatalogStore(location, undefined);
    await store.save('a', { command: 'x' });
    expect(statSync(location.file).mode & 0o777).toBe(0o644);
    await store.save('b', { command: 'x', env: { TOKEN: 'hunter22' } });
    expect(statSync(location.file).mode & 0o777).toBe(0o600);
  });
});

describe('what people wrote in a catalog', () => {
  const OWN = '{ "mcpServers": { "own": { "command": "x" } } }';

  it('is neither replaced nor taken out', async () => {
    const location = locationOf(OWN);
    const store = new CatalogStore(location, reconciler);
    await expect(store.save('own', { command: 'y' })).rejects.toThrow('was not added by an agent');
    await expect(store.delete('own')).resolves.toBe(false);
    await expect(store.delete('nobody')).resolves.toBe(false);
    expect(readFileSync(location.file, 'utf8')).toBe(OWN);
  });

  it('is left as it is when it cannot be read, and the reason names the place', async () => {
    const location = locationOf('{ "mcpServers": [] }');
    const store = new CatalogStore(location, reconciler);
    await expect(store.save('a', { command: 'y' })).rejects.toThrow(/catalog\.json cannot be used.*1:\d+/s);
    expect(readFileSync(location.file, 'utf8')).toBe('{ "mcpServers": [] }');
    expect(existsSync(`${location.file}.tmp`)).toBe(false);
  });
});
