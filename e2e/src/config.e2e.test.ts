import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { CLI, cleanEnvironment, NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import type { RpcMessage } from './testing/json-rpc.js';
import { parseLog } from './testing/log-lines.js';
import { RawCli } from './testing/raw-cli.js';
import { textOf } from './testing/tool-response.js';

let folder = '';
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'mcpmux-e2e-config-')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function writeConfig(config: object | string, name = 'mcpmux.json'): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, typeof config === 'string' ? config : JSON.stringify(config, undefined, 2));
  return file;
}

/** mcpmux in the folder of the test, connected. */
async function started(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  cwd = folder,
): Promise<RawCli> {
  const mcpmux = new RawCli({ args: [...args], env: { MCPMUX_PROJECT_CONFIG: '1', ...env }, cwd });
  await mcpmux.initialize();
  return mcpmux;
}

/** The echo server, which begins to run once a file is there. */
function gatedEcho(gate: string): object {
  const { command, args } = fixtureServer('echo');
  const program = `
    const { existsSync, watch } = require('node:fs');
    const open = () => existsSync(process.argv[1]) && (watcher.close(), import(process.argv[2]));
    const watcher = watch(require('node:path').dirname(process.argv[1]), open);
    open();`;
  return { command, args: ['-e', program, gate, pathToFileURL(args[0] ?? '').href] };
}

interface ServerRow {
  readonly name: string;
  readonly status: string;
  readonly tools: readonly string[];
}

/** Asks again until these servers run, whenever a server does: one that lists what it listed before is not announced. */
async function running(mcpmux: RawCli, ...names: readonly string[]): Promise<readonly ServerRow[]> {
  for (;;) {
    const [seen, logged] = [mcpmux.messages.length, mcpmux.stderr.length];
    const servers = serversOf(await mcpmux.call('list_servers'));
    const up = new Set(servers.filter(({ status }) => status === 'running').map(({ name }) => name));
    if (names.every((name) => up.has(name))) return servers;
    const hasChanged = (): boolean =>
      mcpmux.messages.slice(seen).some(isListChange) ||
      mcpmux.stderr.slice(logged).includes('server running');
    await mcpmux.until(() => (hasChanged() ? true : undefined));
  }
}

function isListChange({ method }: RpcMessage): boolean {
  return method === 'notifications/tools/list_changed';
}

function serversOf({ result }: RpcMessage): readonly ServerRow[] {
  const content = result?.['structuredContent'] as { readonly servers: readonly ServerRow[] } | undefined;
  return content?.servers ?? [];
}

async function toolNames(mcpmux: RawCli): Promise<readonly string[]> {
  const { result } = await mcpmux.request('tools/list');
  const tools = (result?.['tools'] ?? []) as readonly { readonly name: string }[];
  return tools.map(({ name }) => name);
}

/** Runs a command to its end. */
async function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(NODE, [CLI, ...args], {
    cwd: folder,
    env: cleanEnvironment({ MCPMUX_PROJECT_CONFIG: '1', ...env }),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.end();
  const [code] = (await once(child, 'close')) as unknown[];
  return { code, stdout, stderr };
}

describe('serve with a config', () => {
  it('S14, A1: starts its servers without being told: their tools are listed and work', async () => {
    await writeConfig(`{
      // as pasted from a client
      "mcpServers": {
        "echo": ${JSON.stringify({ ...fixtureServer('echo'), autoApprove: ['echo'] })},
        "off": { "command": "no-such-program", "disabled": true },
      }
    }`);
    await using mcpmux = await started();
    await running(mcpmux, 'echo');
    expect(await toolNames(mcpmux)).toContain('echo__echo');
    expect(textOf(await mcpmux.call('echo__echo', { message: 'hello' }))).toBe('hello');
  });

  it('A1, A2: a broken server and a misconfigured one stop none of the others', async () => {
    await writeConfig({
      mcpServers: {
        gone: { command: 'no-such-program-anywhere' },
        dead: { command: NODE, args: ['-e', 'process.exit(3)'] },
        unset: { ...fixtureServer('echo'), env: { KEY: '${MCPMUX_E2E_NOT_SET}' } },
        far: { type: 'http', url: 'http://127.0.0.1:1/mcp' },
        fine: fixtureServer('echo'),
      },
    });
    await using mcpmux = await started(['--log-format', 'json']);
    await running(mcpmux, 'fine');
    await mcpmux.until(() => (/"server":"dead","problem"/.test(mcpmux.stderr) ? true : undefined));
    await mcpmux.until(() => (/"server":"gone","problem"/.test(mcpmux.stderr) ? true : undefined));
    await mcpmux.until(() => (/"server":"far","problem":"Server/.test(mcpmux.stderr) ? true : undefined));
    const log = parseLog(mcpmux.stderr);
    const reported = (server: string): readonly string[] =>
      log.filter((line) => line['server'] === server).map(({ message }) => message);
    expect(reported('dead')).toContain('a server of the config did not start');
    expect(reported('gone')).toContain('a server of the config did not start');
    expect(reported('unset')).toContain('failed: its configuration cannot be used, so it is not started');
    expect(reported('unset')).not.toContain('started a server process');
    expect(reported('far')).toContain(
      'Server "far" cannot be reached: http://127.0.0.1:1/mcp refuses connections (ECONNREFUSED).',
    );
    expect(log.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(
        /mcpmux\.json:\d+:\d+: mcpServers\.unset\.env\.KEY: .*MCPMUX_E2E_NOT_SET is not set/,
      ),
    );
    expect(await running(mcpmux, 'fine')).toMatchObject([
      { name: 'gone', status: 'crashed' },
      { name: 'dead', status: 'crashed' },
      { name: 'unset', status: 'failed' },
      { name: 'far', status: 'crashed' },
      { name: 'fine', status: 'running' },
    ]);
  });

  it('gives servers the variables it names, and shows their values nowhere', async () => {
    const secret = 'hunter2-from-the-environment';
    const fromFile = 'hunter2-from-a-file';
    await writeFile(join(folder, 'token'), `${fromFile}\n`);
    await writeConfig({
      mcpServers: {
        env: { ...fixtureServer('env-dump'), env: { A: '${E2E_SECRET}', B: '${file:token}', C: '${NO:-c}' } },
        bad: { command: 'x', env: { A: '${E2E_SECRET}', B: ['${E2E_SECRET}'] } },
        dead: { command: NODE, args: ['-e', 'process.exit(3)'], env: { A: '${E2E_SECRET}' } },
      },
    });
    const env = { E2E_SECRET: secret };
    await using mcpmux = await started(['--log-level', 'debug'], env);
    const rows = await running(mcpmux, 'env');
    await mcpmux.until(() => (/\[dead\] Server "dead"/.test(mcpmux.stderr) ? true : undefined));
    const outputs = [JSON.stringify(rows), mcpmux.stderr];
    for (const args of [['validate'], ['validate', '--json'], ['path', '--json']]) {
      const { stdout, stderr } = await run(['config', ...args], env);
      outputs.push(stdout, stderr);
    }
    for (const output of outputs) expect(output).not.toContain('hunter2');
    const [tool = ''] = rows.find(({ name }) => name === 'env')?.tools ?? [];
    const given = textOf(await mcpmux.call(tool, { names: ['A', 'B', 'C'] }));
    for (const value of [secret, fromFile]) expect(given).toContain(value);
  });

  it('finds the config of a project from a folder below it', async () => {
    await mkdir(join(folder, '.mcpmux'));
    await mkdir(join(folder, 'a', 'b'), { recursive: true });
    await writeConfig({ mcpServers: { echo: fixtureServer('echo') } }, join('.mcpmux', 'config.json'));
    await using mcpmux = await started(['--log-level', 'error'], {}, join(folder, 'a', 'b'));
    await running(mcpmux, 'echo');
    expect(await toolNames(mcpmux)).toContain('echo__echo');
  });

  it.each([
    ['--config', (file: string) => ({ args: ['--config', file], env: {} })],
    ['MCPMUX_CONFIG', (file: string) => ({ args: [], env: { MCPMUX_CONFIG: file } })],
  ])('%s names another file', async (_, given) => {
    await writeConfig({ mcpServers: { here: fixtureServer('echo') } });
    const other = await writeConfig({ mcpServers: { other: fixtureServer('echo') } }, 'other.json');
    const { args, env } = given(other);
    await using mcpmux = await started(args, env);
    expect((await running(mcpmux, 'other')).map(({ name }) => name)).toEqual(['other']);
  });

  it('that of a project starts nothing unless mcpmux was told to use it', async () => {
    await writeConfig({ mcpServers: { cloned: fixtureServer('echo') } });
    await using careful = await started([], { MCPMUX_PROJECT_CONFIG: '' });
    expect(serversOf(await careful.call('list_servers'))).toEqual([]);
    await using trusting = await started(['--project-config'], { MCPMUX_PROJECT_CONFIG: '' });
    expect((await running(trusting, 'cloned')).map(({ name }) => name)).toEqual(['cloned']);
  });

  it('shows of the tools of a server what the config says, and by the names that it gives', async () => {
    await writeConfig({
      mcpServers: {
        echo: {
          ...fixtureServer('echo-v2'),
          includeTools: ['*echo', 'rev*'],
          excludeTools: ['slow_*'],
          mux: { tools: { reverse: { name: 'mirror', description: 'Backwards.' } } },
        },
      },
    });
    await using mcpmux = await started();
    await running(mcpmux, 'echo');
    const names = (await toolNames(mcpmux)).filter((name) => name.startsWith('echo__'));
    expect(names).toEqual(['echo__echo', 'echo__mirror']);
    expect(textOf(await mcpmux.call('echo__mirror', { message: 'abc' }))).toBe('cba');
    const refused = await mcpmux.call('echo__slow_echo', { message: 'x', delay_ms: 1 });
    expect(refused.error?.message).toContain('Unknown tool');
    const { result } = await mcpmux.request('tools/list');
    expect(JSON.stringify(result)).toContain('"Backwards."');
  });

  it('S14: lists before its servers run what they listed last time, and lets calls wait for them', async () => {
    const gate = join(folder, 'gate');
    await writeConfig({ mcpServers: { late: gatedEcho(gate) } });
    const state = { XDG_STATE_HOME: join(folder, 'state') };
    await writeFile(gate, '');
    {
      await using mcpmux = await started(['--log-level', 'debug'], state);
      await running(mcpmux, 'late');
      await mcpmux.until(() => (mcpmux.stderr.includes('saved for the next start') ? true : undefined));
    }
    await rm(gate);
    await using mcpmux = await started([], state);
    const { result } = await mcpmux.request('tools/list');
    expect(JSON.stringify(result)).toContain('"late__echo"');
    const called = mcpmux.call('late__echo', { message: 'waited' });
    await writeFile(gate, '');
    expect(textOf(await called)).toBe('waited');
  });

  it('S14: ends with 4 when a required server does not start, and says which', async () => {
    await writeConfig({ mcpServers: { key: { command: 'no-such-program', mux: { required: true } } } });
    const mcpmux = new RawCli({ args: [], env: { MCPMUX_PROJECT_CONFIG: '1' }, cwd: folder });
    expect(await mcpmux.ended).toMatchObject({ code: 4 });
    expect(mcpmux.stderr).toContain('[key] a required server did not start: mcpmux ends');
  });

  it('a lazy server starts with its first call, and one that nobody uses is stopped', async () => {
    await writeConfig({
      mcpServers: { shy: { ...fixtureServer('echo'), mux: { lazy: true, idleTimeoutMs: 300 } } },
    });
    const state = { XDG_STATE_HOME: join(folder, 'state') };
    {
      // Of the first run nothing is known: it starts, and sleeps when nobody uses it.
      await using mcpmux = await started(['--log-level', 'debug'], state);
      await mcpmux.until(() => (mcpmux.stderr.includes('saved for the next start') ? true : undefined));
      await mcpmux.until(() => (mcpmux.stderr.includes('[shy] server idle') ? true : undefined));
    }
    await using mcpmux = await started(['--log-level', 'debug'], state);
    expect(await toolNames(mcpmux)).toContain('shy__echo');
    expect(serversOf(await mcpmux.call('list_servers'))).toMatchObject([{ name: 'shy', status: 'idle' }]);
    expect(mcpmux.stderr).not.toContain('started a server process');
    expect(textOf(await mcpmux.call('shy__echo', { message: 'awake' }))).toBe('awake');
  });

  it('--profile starts the servers of a profile; one that is not there ends it with 2 and the one that was meant', async () => {
    const { command, args } = fixtureServer('echo');
    await writeConfig({
      mcpServers: { one: { command, args }, two: { command, args } },
      profiles: { work: ['two'] },
    });
    {
      await using mcpmux = await started(['--profile', 'work']);
      expect((await running(mcpmux, 'two')).map(({ name }) => name)).toEqual(['two']);
    }
    const { code, stderr } = await run(['serve', '--profile', 'wrok']);
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "work"?');
  });

  it('a mcpmux among its own servers ends there', async () => {
    await writeConfig({ mcpServers: { self: { command: NODE, args: [CLI, '--log-level', 'warn'] } } });
    await using mcpmux = await started();
    await running(mcpmux, 'self');
    expect(serversOf(await mcpmux.call('self__list_servers'))).toEqual([]);
    expect(mcpmux.stderr).toContain('a mcpmux above this one serves the config');
  });

  it('--name-budget bounds the names of tools', async () => {
    await writeConfig({ mcpServers: { 'a-server-with-quite-a-long-name': fixtureServer('echo') } });
    await using mcpmux = await started(['--name-budget', '20']);
    await running(mcpmux, 'a-server-with-quite-a-long-name');
    const added = (await toolNames(mcpmux)).filter((name) => name.includes('__'));
    expect(added).not.toEqual([]);
    for (const name of added) expect(name.length).toBeLessThanOrEqual(20);
  });
});

describe('serve with a config that cannot be used', () => {
  const BROKEN = '{\n  "mcpServers": {\n    "a": { "command": "x" }\n    "b": {}\n  }\n}\n';

  it('that was named ends with exit code 2 and the place', async () => {
    const file = await writeConfig(BROKEN);
    const { code, stdout, stderr } = await run(['serve', '--config', file]);
    expect(stderr).toContain(`${file}:4:5: not valid JSON: expected ","`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('that was named and is not there ends with exit code 2 at once', async () => {
    const { code, stdout, stderr } = await run(['serve', '--config', 'no.json']);
    expect(stderr).toContain(join(folder, 'no.json'));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('that was only found is told, and agents can add servers all the same', async () => {
    const file = await writeConfig(BROKEN);
    await using mcpmux = await started();
    await mcpmux.until(() => (mcpmux.stderr.includes(`${file}:4:5: not valid JSON`) ? true : undefined));
    const added = await mcpmux.call('add_server', { name: 'echo', ...fixtureServer('echo') });
    expect(added.result).toMatchObject({ structuredContent: { status: 'running' } });
  });

  it('--no-config does not look at it', async () => {
    await writeConfig(BROKEN);
    await using mcpmux = await started(['--no-config']);
    expect((await mcpmux.call('list_servers')).error).toBeUndefined();
    expect(mcpmux.stderr).not.toContain('not valid JSON');
  });
});

describe('mcpmux config', () => {
  it('path prints where the config is, and 6 with the search order when there is none', async () => {
    const none = await run(['config', 'path']);
    expect(none).toMatchObject({ code: 6, stdout: '' });
    expect(none.stderr).toContain(join(folder, 'mcpmux.json'));
    const asJson = await run(['config', 'path', '--json']);
    expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { code: 'CONFIG_NOT_FOUND' } });
    const file = await writeConfig({});
    expect(await run(['config', 'path'])).toEqual({ code: 0, stdout: `${file}\n`, stderr: '' });
    expect(await run(['--config', file, 'config', 'path'])).toMatchObject({ code: 0, stdout: `${file}\n` });
    const { stdout } = await run(['config', 'path', '--json']);
    expect(JSON.parse(stdout)).toEqual({ path: file, origin: 'project' });
  });

  it('A1: validate tells every problem with its place and ends with 2', async () => {
    const file = await writeConfig(
      '{\n  "mcpServers": {\n    "a": { "comand": "x" },\n    "b": { "command": 5 }\n  }\n}',
    );
    const { code, stdout, stderr } = await run(['config', 'validate']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toEqual([
      `${file}:3:5: error: mcpServers.a: expected "command" (a program to run) or "url" (where a server is)`,
      `${file}:3:12: warning: mcpServers.a.comand: unknown key, ignored. Did you mean "command"?`,
      `${file}:4:12: error: mcpServers.b.command: expected a string in double quotes`,
      `${file}: not valid, 0 of 2 servers can start`,
    ]);
  });

  it('validate --json gives the same as data', async () => {
    const config = await writeConfig({ mcpServers: { a: { command: 'x', oops: 1 } } }, 'x.json');
    const { code, stdout, stderr } = await run(['config', 'validate', '--json', '--config', 'x.json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      file: config,
      valid: true,
      servers: [{ name: 'a', status: 'ready' }],
      problems: [{ severity: 'warning', line: 5, column: 7, path: 'mcpServers.a.oops' }],
    });
  });

  it('schema prints a JSON Schema', async () => {
    const { code, stdout } = await run(['config', 'schema']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ type: 'object', properties: { mcpServers: {} } });
  });
});

/** Everything that is bundled into the files that serving loads before the first answer. */
async function sourcesLoadedAtStart(): Promise<readonly string[]> {
  const dist = join(dirname(CLI), '..', 'dist');
  const serving = (await readdir(dist)).find((name) => /^serving-.*\.cjs$/.test(name)) ?? '';
  const seen = new Set<string>();
  const ofEntry = await sourcesLoadedBy(join(dist, 'cli.cjs'), seen);
  return [...ofEntry, ...(await sourcesLoadedBy(join(dist, serving), seen))];
}

/** Everything that is bundled into a file and the chunks that it loads at once. */
async function sourcesLoadedBy(file: string, seen = new Set<string>()): Promise<readonly string[]> {
  // the bundler's own helpers have no source
  if (seen.has(file) || file.includes('rolldown-runtime')) return [];
  seen.add(file);
  const code = await readFile(file, 'utf8');
  const { sources } = JSON.parse(await readFile(`${file}.map`, 'utf8')) as { readonly sources: string[] };
  // what a function requires is loaded when that is called
  const chunks = [...code.matchAll(/(?:const|let|var) [\w$]+=require\("(\.\/[^"]+)"\)/g)];
  const loaded = chunks.map(([, chunk = '']) => sourcesLoadedBy(join(dirname(file), chunk), seen));
  return [...sources, ...(await Promise.all(loaded)).flat()];
}

it('nothing of the commands is loaded before the first answer', async () => {
  const sources = await sourcesLoadedAtStart();
  expect(
    sources.filter((source) =>
      /commander|@modelcontextprotocol|bomb\.sh|smol-toml|yaml|src\/(?:commands|clients|live|terminal|doctor|files|top|http)\//.test(
        source,
      ),
    ),
  ).toEqual([]);
});

it('nothing that reaches servers at urls is loaded before there is one', async () => {
  const sources = await sourcesLoadedAtStart();
  const remote = /modelcontextprotocol|eventsource|jose|remote-(?:channel|session)|http-client/;
  expect(sources.filter((source) => remote.test(source))).toEqual([]);
});

it('without a config, neither what reads one nor its libraries are loaded', async () => {
  const sources = await sourcesLoadedAtStart();
  expect(sources.filter((source) => source.includes('find-config'))).toHaveLength(1);
  expect(
    sources.filter((source) => /zod|jsonc-parser|read-config|config-reconciler|interpolate/.test(source)),
  ).toEqual([]);
});

it('the tools of mcpmux load no more of zod than they use', async () => {
  const dist = join(dirname(CLI), '..', 'dist');
  const chunks = (await readdir(dist)).filter((name) => /^zod-.*\.cjs$/.test(name));
  const ofChunks = await Promise.all(chunks.map((chunk) => sourcesLoadedBy(join(dist, chunk))));
  const sources = ofChunks.flat();
  expect(sources.filter((source) => source.includes('zod/v4/mini/schemas.js'))).not.toEqual([]);
  expect(sources.filter((source) => /modelcontextprotocol|classic/.test(source))).toEqual([]);
});
