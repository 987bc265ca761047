import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import { CLI, cleanEnvironment, NODE } from './testing/built-cli.js';

/** Runs a command with a new pseudo-terminal as its stdin, and exits as it does. */
const ON_TERMINAL = `
import pty, subprocess, sys
_, terminal = pty.openpty()
sys.exit(subprocess.run(sys.argv[1:], stdin=terminal).returncode)
`;

const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0;

interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

async function run(command: string, args: readonly string[]): Promise<Outcome> {
  const child = spawn(command, args, { env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { stdout, stderr, code: child.exitCode };
}

const mcpmux = (...args: readonly string[]): Promise<Outcome> => run(NODE, [CLI, ...args]);
const onTerminal = (...args: readonly string[]): Promise<Outcome> =>
  run('python3', ['-c', ON_TERMINAL, NODE, CLI, ...args]);

const reason = hasPython ? '' : ' (skipped: no python3 here to make a pseudo-terminal)';
describe.skipIf(!hasPython)(`with a terminal as stdin${reason}`, () => {
  it.each([[[]], [['--log-level', 'debug']]])(
    'mcpmux %j says on stderr what it is and how to register it, and exits with 0',
    async (args) => {
      const { stdout, stderr, code } = await onTerminal(...args);
      expect(stderr).toContain('mcpmux is an MCP server');
      expect(stderr).toContain('claude mcp add');
      expect(stderr).toContain('mcpmux --help');
      expect({ stdout, code }).toEqual({ stdout: '', code: 0 });
    },
  );
});

it('--version prints the version and nothing else', async () => {
  const outcome = await mcpmux('--version');
  expect(outcome).toEqual({ stdout: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/), stderr: '', code: 0 });
});

it('serve --help shows every option and the exit codes', async () => {
  const { stdout, stderr, code } = await mcpmux('serve', '--help');
  for (const word of ['--log-level', '--log-format', '--start-timeout', 'serve', 'Exit codes', '143']) {
    expect(stdout).toContain(word);
  }
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
});

it.each([
  ['an unknown flag', ['--log-levle', 'debug'], 'Did you mean --log-level?'],
  ['an unknown command', ['serv'], 'Did you mean serve?'],
  ['an argument too many', ['serve', 'now'], 'too many arguments'],
  ['an unknown command of config', ['config', 'pat'], 'Did you mean path?'],
  ['an unknown level', ['--log-level', 'loud'], 'Allowed choices are silent, error, warn, info, debug'],
  ['a time that is none', ['--start-timeout', 'soon'], 'seconds above 0'],
  ['an option without its value', ['--log-format'], 'argument missing'],
])('%s is refused with 2, says what would be right, and leaves stdout empty', async (_, args, hint) => {
  const { stdout, stderr, code } = await mcpmux(...args);
  expect(stderr).toContain(hint);
  expect(stderr).toContain('mcpmux --help');
  expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
});

it.each([[['--config', '/nowhere/mcpmux.json', 'serve']], [['serve', '--config', '/nowhere/mcpmux.json']]])(
  'an option counts before the command as behind it: %j',
  async (args) => {
    const { stdout, stderr, code } = await mcpmux(...args);
    expect(stderr).toContain('/nowhere/mcpmux.json');
    expect(stdout).toBe('');
    expect(code).not.toBe(0);
  },
);
