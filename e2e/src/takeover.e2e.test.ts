import { describe, expect, it } from 'vitest';

import { CLI } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { Person } from './testing/person.js';

const ECHO = fixtureServer('echo');
const CURSOR = '.cursor/mcp.json';

/** The file of a client with a comment and two servers of its own. */
function ofCursor(): string {
  const echo = JSON.stringify(ECHO);
  return `{\n  // mine\n  "mcpServers": {\n    "echo": ${echo},\n    "other": { "command": "other" } // later\n  }\n}\n`;
}

describe('import --takeover', () => {
  it('moves the servers of a client into the config, puts mcpmux there instead, and keeps the old file', async () => {
    await using person = await Person.arrive();
    const before = ofCursor();
    await person.write(CURSOR, before);
    const taken = (await person.json('import', 'cursor', '--takeover', '--yes')) as {
      readonly clients: readonly { readonly backup: string }[];
    };
    expect(JSON.parse(await person.read('.config/mcpmux/config.json'))).toMatchObject({
      mcpServers: { echo: ECHO, other: { command: 'other' } },
    });
    const after = await person.read(CURSOR);
    expect(after).toContain('// mine');
    expect(
      Object.keys((JSON.parse(after.replaceAll(/\/\/.*/g, '')) as { mcpServers: object }).mcpServers),
    ).toEqual(['mcpmux']);
    const [changed] = taken.clients;
    expect(await person.read(changed?.backup.replace(person.home, '') ?? '')).toBe(before);
  });

  it('without a yes moves nothing', async () => {
    await using person = await Person.arrive();
    const before = ofCursor();
    await person.write(CURSOR, before);
    expect(await person.mcpmux('import', 'cursor', '--takeover')).toMatchObject({ code: 7, stdout: '' });
    expect(await person.read(CURSOR)).toBe(before);
    await expect(person.read('.config/mcpmux/config.json')).rejects.toThrow('ENOENT');
  });

  it('with --dry-run shows both files and writes neither', async () => {
    await using person = await Person.arrive();
    const before = ofCursor();
    await person.write(CURSOR, before);
    const { stderr, code } = await person.mcpmux('import', 'cursor', '--takeover', '--dry-run');
    expect(code).toBe(0);
    expect(stderr).toContain('config.json would change');
    expect(stderr).toContain('+    "mcpmux": {');
    expect(await person.read(CURSOR)).toBe(before);
  });
});

it('a server that is in a client beside mcpmux is told by doctor, with what to do', async () => {
  await using person = await Person.arrive();
  await person.write(CURSOR, ofCursor());
  await person.mcpmux('import', 'cursor');
  await person.mcpmux('install', 'cursor', '--yes');
  const { stdout } = await person.mcpmux('doctor');
  expect(stdout).toContain('also has echo, other: the tools of these servers appear twice');
  expect(stdout).toContain('Next: mcpmux import cursor --takeover');
});

it('install --project registers mcpmux for one project, with its config', async () => {
  await using person = await Person.arrive();
  expect(await person.mcpmux('install', 'claude-code', '--project', '--yes')).toMatchObject({ code: 0 });
  expect(JSON.parse(await person.read('.mcp.json'))).toMatchObject({
    mcpServers: { mcpmux: { args: [CLI, '--project-config'] } },
  });
});

it('the same server of two clients is taken once, one for another account under a name of its own', async () => {
  await using person = await Person.arrive();
  await person.write(CURSOR, {
    mcpServers: { gh: { command: 'gh', env: { TOKEN: 'of-work' } }, echo: ECHO },
  });
  await person.write('.gemini/settings.json', {
    mcpServers: { gh: { command: 'gh', env: { TOKEN: 'of-home' } }, same: ECHO },
  });
  await person.mcpmux('import');
  expect(JSON.parse(await person.read('.config/mcpmux/config.json'))).toMatchObject({
    mcpServers: { gh: { env: { TOKEN: 'of-work' } }, 'gh-2': { env: { TOKEN: 'of-home' } }, echo: ECHO },
  });
  expect(await person.json('import')).toMatchObject({ written: false });
});
