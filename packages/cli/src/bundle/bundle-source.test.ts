import { loadConfig } from '@mcpmux/config';
import { describe, expect, it } from 'vitest';

import { readManifest } from './bundle-manifest.js';
import { bundleSource } from './bundle-source.js';

const PLACE = { folder: '/data/bundles/x', platform: 'linux' } as const;

function source(server: object, more: object = {}, place: Parameters<typeof bundleSource>[1] = PLACE) {
  return bundleSource(readManifest(JSON.stringify({ name: 'x', version: '1', server, ...more })), place);
}

/** The entry with these values of the fields. */
function entryWith(server: object, fields: object, values: Readonly<Record<string, string>>) {
  return source(server, { user_config: fields }).entry(({ id }) => values[id]);
}

describe('the entry of a bundle', () => {
  it('runs the program in the folder, with the values of the fields', () => {
    const mcpConfig = {
      command: 'node',
      args: [
        '${__dirname}/a.js',
        '${user_config.dirs}',
        '--n=${user_config.n}',
        '${user_config.none}',
        '$HOME',
      ],
      env: {
        KEY: '${user_config.key}',
        DIRS: '${user_config.dirs}',
        NONE: 'x${user_config.none}',
        H: '${HOME}${/}y',
      },
    };
    const text = { type: 'string' };
    const fields = {
      dirs: { type: 'directory', multiple: true },
      n: { type: 'number' },
      none: text,
      key: text,
    };
    const values = { dirs: '/a\n/b', n: '5', key: '${secret:x.key}' };
    expect(entryWith({ type: 'node', mcp_config: mcpConfig }, fields, values)).toEqual({
      command: 'node',
      args: ['/data/bundles/x/a.js', '/a', '/b', '--n=5', '$$HOME'],
      env: { KEY: '${secret:x.key}', DIRS: '/a,/b', H: '${userHome}${/}y' },
      cwd: '/data/bundles/x',
    });
  });

  it('refers to no variable, file or secret of the person', () => {
    const mcpConfig = {
      command: 'node',
      args: ['${GITHUB_TOKEN}', '${file:/etc/passwd}', '${__dirname}${secret:github}', '$TOKEN'],
    };
    expect(source({ type: 'node', mcp_config: mcpConfig }).entry(() => undefined)['args']).toEqual([
      '$${GITHUB_TOKEN}',
      '$${file:/etc/passwd}',
      '/data/bundles/x$${secret:github}',
      '$$TOKEN',
    ]);
    const fields = { f: { type: 'string', default: '${secret:github}' } };
    expect(source({ type: 'node' }, { user_config: fields }).inputs).toMatchObject([
      { id: 'f', fallback: '$${secret:github}' },
    ]);
  });

  it.each([
    ['${${user_config.e}secret:github}', '', '${secret:github}'],
    ['$${user_config.e}', '{secret:github}', '${secret:github}'],
    ['${user_config.e}github}', '${secret:', '${secret:github}'],
    ['${user_config.e}{secret:github}', '$', '${secret:github}'],
    ['$${user_config.e}TOKEN', '', '$TOKEN'],
    ['$TOKEN${user_config.e}', '', '$TOKEN'],
    ['${user_config.e}TOKEN', '$', '$TOKEN'],
    ['${user_config.e}x}', '${HOME}${secret:', '/h${secret:x}'],
  ])('makes no reference of %s and the default "%s"', (text, value, literal) => {
    const fields = { e: { type: 'string', default: value } };
    const server = { type: 'node', mcp_config: { command: 'node', env: { A: text } } };
    const made = source(server, { user_config: fields }).entry(({ fallback }) => fallback);
    const places = { environment: { TOKEN: 'leak' }, home: '/h', cwd: '/', keyring: { get: () => 'leak' } };
    const location = { file: '/c.json', origin: 'user', folder: '/' } as const;
    const loaded = loadConfig(location, places, () => JSON.stringify({ mcpServers: { a: made } }));
    expect(loaded.servers).toMatchObject([{ config: { env: { A: literal } } }]);
  });

  it('takes the settings of this system, and a program in the folder', () => {
    const overrides = { win32: { command: 'bin\\run.exe' }, linux: { args: ['--linux'], env: { B: '2' } } };
    const mcpConfig = { command: 'bin/run', args: [], env: { A: '1' }, platform_overrides: overrides };
    expect(source({ type: 'binary', mcp_config: mcpConfig }).entry(() => undefined)).toMatchObject({
      command: '/data/bundles/x/bin/run',
      args: ['--linux'],
      env: { A: '1', B: '2' },
    });
  });

  it('runs uv for a bundle that leaves the command to its host', () => {
    expect(source({ type: 'uv', entry_point: 'src/server.py' }).entry(() => undefined)).toEqual({
      command: 'uv',
      args: ['run', '--directory', '/data/bundles/x', 'src/server.py'],
    });
  });

  it('is refused on another system', () => {
    const compatibility = { platforms: ['darwin', 'win32'] };
    expect(() => source({ type: 'node' }, { compatibility })).toThrow('it runs only on darwin, win32');
  });

  it('needs a whole manifest', () => {
    expect(() => readManifest('{')).toThrow('is no JSON');
    expect(() => readManifest('{"name":"x","version":"1","server":{"type":"php"}}')).toThrow('server.type');
  });
});
