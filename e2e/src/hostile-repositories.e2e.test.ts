import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { CLIENTS, documentEditor } from '@mcpmux/clients';
import { createHostileRepositories } from '@mcpmux/testing/hostile-repository';
import { serverFiles } from '@mcpmux/testing/server-files';
import { describe, expect, it } from 'vitest';

import { CLI, cleanEnvironment, NODE } from './testing/built-cli.js';
import { INITIALIZE } from './testing/http-cli.js';
import { Person } from './testing/person.js';

/** The test of the command's sources goes through two hundred; `HOSTILE_REPOSITORIES=200` has the built command do so. */
const REPOSITORIES = Number(process.env['HOSTILE_REPOSITORIES'] ?? 16);
/** For each repository, on a machine with other things to do. */
const REPOSITORY_MS = 4000;
const COMMANDS = [['import'], ['list', '--check'], ['serve'], ['doctor']];
/** A client that wants every tool there is, and goes. */
const CLIENT = [INITIALIZE, { jsonrpc: '2.0', id: 2, method: 'tools/list' }]
  .map((message) => `${JSON.stringify(message)}\n`)
  .join('');

/** Runs a command on a pseudo-terminal that gives one answer to each question; `hang up` goes at the first one. */
const ON_TERMINAL = `
import os, pty, subprocess, sys
master, terminal = pty.openpty()
answer, command = sys.argv[1], sys.argv[2:]
child = subprocess.Popen(command, stdin=terminal, stdout=subprocess.DEVNULL, stderr=terminal)
os.close(terminal)
asked = b''
while True:
    try: chunk = os.read(master, 4096)
    except OSError: break
    sys.stdout.buffer.write(chunk)
    asked += chunk
    if b'[y/N] ' in asked:
        asked = b''
        if answer == 'hang up':
            os.close(master)
            break
        os.write(master, answer.encode() + b'\\r')
child.wait()
`;
const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0;

function serversIn(person: Person): Readonly<Record<string, unknown>> {
  return (JSON.parse(readFileSync(person.config, 'utf8')) as { mcpServers: Record<string, unknown> })
    .mcpServers;
}

it(
  'in hostile repositories the built command takes only servers of the user, and runs no other',
  { timeout: REPOSITORIES * REPOSITORY_MS },
  async () => {
    await using person = await Person.arrive();
    const files = await serverFiles(CLIENTS, documentEditor);
    const { folders, markFolder, projects } = createHostileRepositories(REPOSITORIES, person.home, files);
    await person.write('.claude.json', { mcpServers: { own: { command: 'own', disabled: true } }, projects });
    for (const cwd of folders)
      await Promise.all(COMMANDS.map((words) => person.run(words, { cwd, input: CLIENT })));
    expect({ taken: Object.keys(serversIn(person)), ran: readdirSync(markFolder) }).toEqual({
      taken: ['own'],
      ran: [],
    });
  },
);

describe.skipIf(!hasPython)(`import at a terminal${hasPython ? '' : ' (skipped: no python3 here)'}`, () => {
  async function answering(person: Person, answer: string): Promise<string> {
    const cwd = join(person.home, 'repository');
    mkdirSync(cwd);
    const evil = { command: 'touch', args: ['mark', '\u202egpj'], env: { NODE_OPTIONS: '-r ./x' } };
    await person.write('repository/.mcp.json', { mcpServers: { evil } });
    await person.write('repository/.cursor/mcp.json', {
      mcpServers: { url: { url: 'http://127.0.0.1:1/' } },
    });
    await person.write('.claude.json', { mcpServers: { own: { command: 'own' } } });
    const { CI: _, ...env } = cleanEnvironment({ ...person.environment });
    const command = ['-c', ON_TERMINAL, answer, NODE, CLI, 'import'];
    return spawnSync('python3', command, { cwd, env, encoding: 'utf8' }).stdout;
  }

  it.each(['', 'n', '\u0004'])('takes nothing of the folder after the answer %j', async (answer) => {
    await using person = await Person.arrive();
    await answering(person, answer);
    expect(Object.keys(serversIn(person))).toEqual(['own']);
  });

  it('takes nothing when the terminal is gone', async () => {
    await using person = await Person.arrive();
    await answering(person, 'hang up');
    const text = existsSync(person.config) ? await person.read('.config/mcpmux/config.json') : '';
    expect(text).not.toMatch(/evil|url/);
  });

  it('asks for each server with all that decides what runs, and keeps the folder of those with a yes', async () => {
    await using person = await Person.arrive();
    const asked = await answering(person, 'y');
    expect(asked).toContain('"touch","args":["mark","\\u{202e}gpj"],"env":{"NODE_OPTIONS":"-r ./x"}');
    expect(serversIn(person)).toMatchObject({
      own: { command: 'own' },
      evil: { command: 'touch', cwd: join(person.home, 'repository') },
      url: { url: 'http://127.0.0.1:1/' },
    });
  });
});
