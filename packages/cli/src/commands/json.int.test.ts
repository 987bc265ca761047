import process from 'node:process';

import { fixtureCommand } from '@mcpmux/test-servers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { ran } from '../testing/captured-output.js';
import { allCommands } from './testing/all-commands.js';
import { TemporaryHome } from './testing/temporary-home.js';

let home: TemporaryHome;
let before = '';

beforeEach(() => {
  home = new TemporaryHome();
  before = process.cwd();
  vi.stubEnv('HOME', home.home);
  vi.stubEnv('USERPROFILE', home.home);
  vi.stubEnv('XDG_CONFIG_HOME', home.path('.config'));
  vi.stubEnv('XDG_STATE_HOME', home.path('.local', 'state'));
  vi.stubEnv('MCPMUX_RUNTIME_DIR', home.path('run'));
  vi.stubEnv('CI', '1');
  const echo = fixtureCommand('echo');
  home.write('.config/mcpmux/config.json', { mcpServers: { echo, off: { ...echo, disabled: true } } });
  home.write('.cursor/mcp.json', { mcpServers: { other: { command: 'x' } } });
});

afterEach(() => {
  process.chdir(before);
  vi.unstubAllEnvs();
  home[Symbol.dispose]();
});

const DATA: readonly (readonly [line: string, data: unknown])[] = [
  ['config path', { origin: 'user' }],
  ['config validate', { valid: true }],
  ['config schema', { title: 'Configuration of mcpmux' }],
  ['init --scope project --dry-run', { written: false }],
  ['get echo', { name: 'echo' }],
  ['doctor echo', { findings: expect.any(Array) }],
  ['version', { node: process.versions.node }],
  ['status', []],
  ['outdated', []],
  ['upgrade --dry-run', { written: false, upgrades: [] }],
  ['approve', []],
  ['approve --saved', []],
  ['approve --forget all', { forgotten: 0 }],
  ['add x --dry-run -- y', { name: 'x', written: false }],
  ['remove off --dry-run', { removed: ['off'] }],
  ['enable off --dry-run', { on: true }],
  ['disable echo --dry-run', { on: false }],
  ['list', { servers: [{ name: 'echo', status: 'ready' }, { name: 'off' }] }],
  ['list --check', { servers: [{ name: 'echo', status: 'running' }, { name: 'off' }] }],
  ['list --no-start', { servers: [{ status: 'ready' }, { status: 'disabled' }] }],
  ['list --all', []],
  ['tools echo', expect.arrayContaining([expect.objectContaining({ original_name: 'echo' })])],
  ['types echo', { declarations: expect.stringContaining('echo(args') }],
  ['call echo.echo message=hi', { content: [{ text: 'hi' }] }],
  ['prompts', []],
  ['resources', []],
  ['import cursor --dry-run', { written: false, servers: [{ name: 'other' }] }],
  ['export echo --client codex', { mcp_servers: { echo: {} } }],
  ['install cursor --dry-run', [{ client: 'cursor', written: false }]],
  ['install codex --print', [{ client: 'codex', document: { mcp_servers: { mcpmux: {} } } }]],
  ['uninstall cursor --dry-run', []],
  ['inspect --print', { command: expect.any(Array) }],
];

describe('with --json there is one JSON value on stdout, and nothing else', () => {
  it.each(DATA)('mcpmux %s --json', async (line, data) => {
    const [words, rest] = splitAtDashes(line);
    const { code, stdout, stderr } = await ran(...words, '-C', home.home, '--json', ...rest);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject(data as object);
  });

  it.each(DATA.slice(0, 3))(
    'with the common flags before the command: mcpmux --json -C … %s',
    async (line, data) => {
      const { code, stdout, stderr } = await ran('--json', '-C', home.home, ...line.split(' '));
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject(data as object);
    },
  );
});

const ERRORS: readonly (readonly [line: string, exitCode: number, code: string, reported: string])[] = [
  ['lsit', 2, 'USAGE', 'Did you mean list'],
  ['lsit --bogus', 2, 'USAGE', "unknown command 'lsit'"],
  ['config', 2, 'USAGE', 'missing'],
  ['config pth', 2, 'USAGE', 'Did you mean path'],
  ['config path --config nowhere.json', 6, 'CONFIG_NOT_FOUND', 'nowhere.json'],
  ['config validate --config nowhere.json', 6, 'CONFIG_NOT_FOUND', 'nowhere.json'],
  ['config edit --config nowhere.json', 6, 'CONFIG_NOT_FOUND', 'nowhere.json'],
  ['config get nowhere', 6, 'NOT_FOUND', 'nowhere'],
  ['config set mux.shared maybe', 2, 'INVALID_VALUE', 'nothing was written'],
  ['config unset a..b', 2, 'USAGE', 'no place in a config'],
  ['list --profile nowhere', 6, 'PROFILE_NOT_FOUND', 'It has no profiles.'],
  ['config schema now', 2, 'USAGE', 'too many arguments'],
  ['init', 2, 'CONFIG_EXISTS', 'already exists'],
  ['get ecoh', 6, 'SERVER_NOT_FOUND', 'Did you mean \\"echo\\"?'],
  ['doctor ecoh', 6, 'SERVER_NOT_FOUND', 'Did you mean \\"echo\\"?'],
  ['version now', 2, 'USAGE', 'too many arguments'],
  ['add echo -- y', 2, 'SERVER_EXISTS', '--force'],
  ['remove ecoh', 6, 'SERVER_NOT_FOUND', 'Did you mean \\"echo\\"?'],
  ['enable ecoh', 6, 'SERVER_NOT_FOUND', 'Did you mean \\"echo\\"?'],
  ['outdated ecoh', 6, 'SERVER_NOT_FOUND', 'Did you mean \\"echo\\"?'],
  ['upgrade echo --to 1.0.0', 2, 'USAGE', 'mcpmux upgrade NAME --to VERSION'],
  ['disable ecoh', 6, 'SERVER_NOT_FOUND', 'Did you mean \\"echo\\"?'],
  ['list -C nowhere', 6, 'FOLDER_NOT_FOUND', 'nowhere'],
  ['tools ecoh', 6, 'TOOL_NOT_FOUND', 'Did you mean \\"echo\\"?'],
  ['tools off', 2, 'SERVER_DISABLED', 'mcpmux enable off'],
  ['call ecoh.echo', 6, 'SERVER_NOT_FOUND', 'Did you mean \\"echo\\"?'],
  ['call echo.ecoh', 6, 'TOOL_NOT_FOUND', 'Did you mean \\"echo\\"?'],
  ['call echo', 2, 'USAGE', 'SERVER.TOOL'],
  ['login ecoh', 6, 'SERVER_NOT_FOUND', 'Did you mean \\"echo\\"?'],
  ['login echo', 2, 'NO_LOGIN', 'the server is a program'],
  ['login off', 2, 'NO_LOGIN', 'it is disabled'],
  ['logout ecoh', 6, 'SERVER_NOT_FOUND', 'Did you mean \\"echo\\"?'],
  ['reload', 4, 'NOT_RUNNING', 'no mcpmux is running'],
  ['approve 1.1', 6, 'NO_APPROVAL', 'no call 1.1 waits for an approval'],
  ['approve --forget 1234', 2, 'USAGE', 'give an id of mcpmux approve --saved, or all'],
  ['approve --forget 12345678', 6, 'NO_APPROVAL', 'no saved approval has the id 12345678'],
  ['logs', 4, 'NOT_RUNNING', 'no mcpmux is running'],
  ['top', 4, 'NOT_RUNNING', 'no mcpmux is running'],
  ['cluster status', 2, 'CLUSTER_UNKNOWN', 'MCPMUX_CLUSTER'],
  ['cluster nodes --cluster nats://127.0.0.1:2', 4, 'NOT_RUNNING', 'cannot be reached'],
  ['cluster drain n1', 2, 'CLUSTER_UNKNOWN', '--cluster nats://HOST'],
  ['ui --no-open --pid 1', 4, 'NOT_RUNNING', 'no mcpmux'],
  ['search git --registry http://127.0.0.1:2', 4, 'REGISTRY_UNREACHABLE', 'MCPMUX_REGISTRY'],
  ['stop', 4, 'NOT_RUNNING', 'no windows share a mcpmux'],
  ['restart', 4, 'NOT_RUNNING', 'no windows share a mcpmux'],
  ['import cursr', 6, 'CLIENT_NOT_FOUND', 'Did you mean \\"cursor\\"?'],
  ['export ecoh', 6, 'SERVER_NOT_FOUND', 'Did you mean \\"echo\\"?'],
  ['install cursr', 6, 'CLIENT_NOT_FOUND', 'Did you mean \\"cursor\\"?'],
  ['install cursor', 7, 'REFUSED', '--yes'],
  ['uninstall cursr', 6, 'CLIENT_NOT_FOUND', 'Did you mean \\"cursor\\"?'],
  ['inspect ecoh', 6, 'SERVER_NOT_FOUND', 'Did you mean \\"echo\\"?'],
  ['completion bash', 2, 'USAGE', '--json'],
  ['serve', 2, 'USAGE', '--json'],
  ['record out.ndjson x', 2, 'USAGE', '--json'],
  ['replay out.ndjson', 2, 'USAGE', '--json'],
  ['skills folder', 2, 'USAGE', '--json'],
  ['secret', 2, 'USAGE', 'missing'],
  ['prompt nope', 2, 'USAGE', 'SERVER.PROMPT'],
  ['prompts ecoh', 6, 'SERVER_NOT_FOUND', 'Did you mean \\"echo\\"?'],
  ['resources ecoh', 6, 'SERVER_NOT_FOUND', 'Did you mean \\"echo\\"?'],
  ['add memory npm:', 2, 'USAGE', 'npm:PACKAGE'],
  ['read nope://x', 1, 'CALL_FAILED', 'mcpmux resources'],
  ['secret set bad/name', 2, 'USAGE', 'no name of a secret'],
  ['secret list now', 2, 'USAGE', 'too many arguments'],
  ['secret remove --bogus x', 2, 'USAGE', 'unknown option'],
];

describe('with --json an error is one line of JSON on stderr, and stdout is empty', () => {
  it.each(ERRORS)('mcpmux %s --json: %i %s', async (line, exitCode, code, reported) => {
    const files = [home.read('.config/mcpmux/config.json'), home.read('.cursor/mcp.json')];
    const [words, rest] = splitAtDashes(line);
    process.chdir(home.home);
    const result = await ran(...words, '--json', ...rest);
    expect(result.stderr).toMatch(/^\{.*\}\n$/);
    const { error } = JSON.parse(result.stderr) as { readonly error: { readonly code: string } };
    expect({ exitCode: result.code, code: error.code, stdout: result.stdout }).toEqual({
      exitCode,
      code,
      stdout: '',
    });
    expect(result.stderr).toContain(reported);
    expect([home.read('.config/mcpmux/config.json'), home.read('.cursor/mcp.json')]).toEqual(files);
  });
});

it('the history is NDJSON, which has no line without calls', async () => {
  expect(await ran('history', '-C', home.home, '--json')).toMatchObject({ code: 0, stdout: '' });
});

it('every command is in these tables', () => {
  const lines = ['history', ...[...DATA, ...ERRORS].map(([line]) => line)];
  const missing = allCommands()
    .map(({ name }) => name)
    .filter((name) => !lines.some((line) => line === name || line.startsWith(`${name} `)));
  expect(missing).toEqual([]);
});

it('a flag before a command that does not have it is refused', async () => {
  const { code, stderr } = await ran('--watch', 'list');
  expect(code).toBe(2);
  expect(stderr).toContain('--watch is no option of mcpmux list');
});

it('--config before a command means it', async () => {
  const file = home.write('other.json', { mcpServers: { mine: { command: 'x' } } });
  const { stdout } = await ran('--config', file, 'get', 'mine', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ name: 'mine', file });
});

it('doctor tells of a server that the config of the project and that of the user both have', async () => {
  home.write('mcpmux.json', { mcpServers: { off: { command: 'x', disabled: true } } });
  const { stdout } = await ran('doctor', '--project-config', '-C', home.home, '--json');
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly { readonly message: string }[] };
  const reported = findings.map(({ message }) => message).join('\n');
  expect(reported).toContain(`${home.config} has off too. Only `);
  expect(reported).toContain('is used, and nothing is merged');
});

/** What stands after `--` belongs to a server. */
function splitAtDashes(line: string): readonly [readonly string[], readonly string[]] {
  const words = line.split(' ');
  const end = words.indexOf('--');
  return end < 0 ? [words, []] : [words.slice(0, end), words.slice(end)];
}
