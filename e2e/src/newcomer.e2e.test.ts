import { describe, expect, it } from 'vitest';

import { CLI, NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { Person } from './testing/person.js';
import { hasTerminals, Terminal } from './testing/terminal.js';

const reason = hasTerminals ? '' : ' (skipped: no script of util-linux here to make a pseudo-terminal)';

/** What somebody at a terminal sees of a command. */
async function seen(
  person: Person,
  words: readonly string[],
  answer?: readonly [question: string, text: string],
): Promise<{ readonly code: number | null; readonly text: string }> {
  await using terminal = new Terminal([NODE, CLI, ...words], { cwd: person.home, env: person.environment });
  if (answer !== undefined) {
    await terminal.until(answer[0]);
    terminal.type(answer[1]);
  }
  return await terminal.end();
}

describe.skipIf(!hasTerminals)(`somebody new at a terminal${reason}`, () => {
  it('makes a config, adds a server, lists and calls it, breaks it, is told why, and mends it', async () => {
    await using person = await Person.arrive();
    const { command, args } = fixtureServer('echo');

    const lost = await seen(person, ['list']);
    expect(lost).toMatchObject({ code: 6 });
    expect(lost.text).toContain('mcpmux init');

    const made = await seen(person, ['init']);
    expect(made).toMatchObject({ code: 0 });
    expect(made.text).toContain(`Wrote ${person.config}`);
    expect(made.text).toContain('mcpmux add NAME -- COMMAND');

    const empty = await seen(person, ['list']);
    expect(empty).toMatchObject({ code: 0 });
    expect(empty.text).toContain('mcpmux add NAME -- COMMAND');

    const added = await seen(person, ['add', 'echo', '--', command, ...args]);
    expect(added).toMatchObject({ code: 0 });
    expect(added.text).toContain('Next: mcpmux tools echo');

    const tools = await seen(person, ['tools', 'echo']);
    expect(tools.text).toContain('echo(message: string)');

    const listed = await seen(person, ['list', '--check']);
    expect(listed).toMatchObject({ code: 0 });
    expect(listed.text).toMatch(/● {2}echo {2}running {2}\d+ tools?, up in [\d.]+ m?s/);

    const called = await seen(person, ['call', 'echo.echo', 'message=hello there']);
    expect(called).toEqual({ code: 0, text: 'hello there\n' });

    const broken = (await person.read('.config/mcpmux/config.json')).replace(
      JSON.stringify(command),
      '"nodde"',
    );
    await person.configure(broken);
    const failing = await seen(person, ['list', '--check']);
    expect(failing).toMatchObject({ code: 4 });
    expect(failing.text).toContain('✖');
    expect(failing.text).toContain('Next: mcpmux doctor echo');

    const reported = await seen(person, ['doctor', 'echo']);
    expect(reported).toMatchObject({ code: 4 });
    expect(reported.text).toMatch(/✖ echo .*"nodde" was not found/);
    expect(reported.text).toContain('Next: install the program, or write its whole path');

    const mended = await seen(person, ['add', 'echo', '--force', '--', command, ...args]);
    expect(mended).toMatchObject({ code: 0 });
    const well = await seen(person, ['doctor', 'echo']);
    expect(well).toMatchObject({ code: 0 });
    expect(well.text).toMatch(/✔ echo +\d+ tools?, up in [\d.]+ m?s/);
  });

  it('is offered what clients have, and to be registered there, when the config is made', async () => {
    await using person = await Person.arrive();
    await person.write('.cursor/mcp.json', { mcpServers: { other: { command: 'x' } } });
    await using terminal = new Terminal([NODE, CLI, 'init'], { cwd: person.home, env: person.environment });
    await terminal.until('Move the servers of Cursor into mcpmux?');
    terminal.type('n\r');
    await terminal.until('Copy the servers of Cursor into the config? The clients keep theirs. [y/N]');
    terminal.type('y\r');
    await terminal.until('Register mcpmux in Cursor?');
    terminal.type('y\r');
    await terminal.until('Write this file? [y/N]');
    terminal.type('n\r');
    const { code, text } = await terminal.end();
    expect(code).toBe(0);
    expect(text).toContain('mcpmux add NAME -- COMMAND');
    expect(JSON.parse(await person.read('.config/mcpmux/config.json'))).toMatchObject({
      mcpServers: { other: { command: 'x' } },
    });
    expect(await person.read('.cursor/mcp.json')).not.toContain('mcpmux');
  });

  it('has every server once after a yes to everything', async () => {
    await using person = await Person.arrive();
    await person.write('.cursor/mcp.json', { mcpServers: { echo: fixtureServer('echo') } });
    await using terminal = new Terminal([NODE, CLI, 'init'], { cwd: person.home, env: person.environment });
    await terminal.until('Move the servers of Cursor into mcpmux?');
    terminal.type('\r');
    await terminal.until('Write this file? [y/N]');
    terminal.type('y\r');
    const { code, text } = await terminal.end();
    expect(code).toBe(0);
    expect(text).toContain('mcpmux list ');
    expect(text).not.toContain('mcpmux import ');
    expect(text).not.toContain('mcpmux install ');
    const { mcpServers } = JSON.parse(await person.read('.cursor/mcp.json')) as { mcpServers: object };
    expect(Object.keys(mcpServers)).toEqual(['mcpmux']);
    expect((await person.mcpmux('doctor')).stdout).not.toContain('twice');
  });

  it('is offered by install to move the servers of the client, with the changes', async () => {
    await using person = await Person.arrive();
    await person.write('.cursor/mcp.json', { mcpServers: { echo: fixtureServer('echo') } });
    const reported = await person.mcpmux('install', 'cursor', '--yes');
    expect(reported.stderr).toContain('To move them into mcpmux: mcpmux import cursor --takeover');
    await using terminal = new Terminal([NODE, CLI, 'install', 'cursor'], {
      cwd: person.home,
      env: person.environment,
    });
    await terminal.until('Move echo of Cursor into mcpmux, which runs them for all clients?');
    terminal.type('\r');
    await terminal.until('Write this file? [y/N]');
    terminal.type('y\r');
    expect(await terminal.end()).toMatchObject({ code: 0 });
    expect(await person.json('list', '--no-start')).toMatchObject({ servers: [{ name: 'echo' }] });
    expect(await person.read('.cursor/mcp.json')).not.toContain('"echo"');
  });

  it('is shown what would change in a client, and asked before it is written', async () => {
    await using person = await Person.arrive();
    const before = '{\n  // mine\n  "mcpServers": {}\n}\n';
    await person.write('.cursor/mcp.json', before);
    const question = 'Write this file? [y/N]';
    const no = await seen(person, ['install', 'cursor', '--no-local'], [question, 'n\r']);
    expect(no).toMatchObject({ code: 7 });
    expect(no.text).toContain('nothing was written');
    expect(await person.read('.cursor/mcp.json')).toBe(before);
    const yes = await seen(person, ['install', 'cursor', '--no-local'], [question, 'y\r']);
    expect(yes).toMatchObject({ code: 0 });
    expect(yes.text).toContain('+      "command": "npx"');
    expect(await person.read('.cursor/mcp.json')).toContain('// mine');
  });

  it('sees a spinner on slow work and colours; with --json, --quiet or NO_COLOR neither', async () => {
    await using person = await Person.arrive();
    await person.configure({ mcpServers: { echo: fixtureServer('echo') } });
    const run = async (
      words: readonly string[],
      env: Readonly<Record<string, string>> = {},
    ): Promise<string> => {
      const options = { cwd: person.home, env: { ...person.environment, ...env } };
      await using terminal = new Terminal([NODE, CLI, 'list', '--check', ...words], options);
      await terminal.end();
      return terminal.screen;
    };
    const shown = await run([]);
    expect(shown).toContain('starting the servers of');
    expect(shown).toContain('\u001B[32m●');
    expect(await run(['--quiet'])).not.toContain('starting');
    expect(await run([], { NO_COLOR: '1' })).not.toContain('\u001B[32m');
    expect(await run(['--json'])).not.toContain('\u001B');
  });
});
