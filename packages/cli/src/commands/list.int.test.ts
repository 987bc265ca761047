import process from 'node:process';

import { fixtureCommand } from '@mcpmux/test-servers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { validateConfig } from './config-actions.js';
import { doctor } from './doctor.js';
import { list } from './list.js';
import { TemporaryHome } from './testing/temporary-home.js';
import { tools } from './tools.js';

const MARKER = 'started.txt';
let home: TemporaryHome;

/** A server that appends a line to a file whenever it is started. */
function marked(): object {
  const { command, args } = fixtureCommand('echo');
  return { command: process.execPath, args: ['-e', MARKING, home.path(MARKER), command, ...args] };
}

const MARKING = `
const [marker, command, ...args] = process.argv.slice(1);
require('node:fs').appendFileSync(marker, 'started\\n');
require('node:child_process').spawn(command, args, { stdio: 'inherit' }).on('exit', (code) => process.exit(code));
`;

function starts(): number {
  return home.list('.').includes(MARKER) ? home.read(MARKER).trim().split('\n').length : 0;
}

beforeEach(() => {
  home = new TemporaryHome({ PATH: process.env['PATH'] ?? '' });
  vi.stubEnv('XDG_STATE_HOME', home.path('.local', 'state'));
  vi.stubEnv('MCPMUX_RUNTIME_DIR', home.path('run'));
  home.write('.config/mcpmux/config.json', {
    mcpServers: { echo: marked(), off: { command: 'x', disabled: true } },
  });
});

afterEach(() => {
  vi.unstubAllEnvs();
  home[Symbol.dispose]();
});

describe('where no mcpmux serves the config', () => {
  it('list starts no server, and says how to', async () => {
    expect(await list(home.context(), [], {})).toBe(0);
    expect(home.out).toBe('○  echo  not started\n○  off   disabled\n');
    expect(home.err).toContain('Next: mcpmux list --check');
    expect(starts()).toBe(0);
  });

  it('list says of a program that is missing that it is', async () => {
    home.write('missing.json', { mcpServers: { typo: { command: 'no-such-program-here' } } });
    expect(await list(home.context(), [], { config: home.path('missing.json') })).toBe(0);
    expect(home.out).toBe('○  typo  not started  command "no-such-program-here" was not found in PATH.\n');
  });

  it('tools says that nothing matches a word, also where a server does not start', async () => {
    home.write('missing.json', { mcpServers: { typo: { command: 'no-such-program-here' } } });
    const config = home.path('missing.json');
    await expect(tools(home.context(), ['nope'], { config })).rejects.toThrow(
      'no server and no tool matches "nope". typo did not start.',
    );
    await expect(tools(home.context(), ['typo'], { config })).rejects.toThrow('there are no tools: typo did');
    await expect(tools(home.context(), [], { config })).rejects.toThrow(
      'there are no tools: typo did not start.',
    );
  });

  it('list suggests commands that use the same config', async () => {
    const config = home.path('.config/mcpmux/config.json');
    await list(home.context(), [], { config });
    expect(home.err).toContain(`Next: mcpmux list --check --config ${config} starts`);
    home.write('broken.json', { mcpServers: { a: {} } });
    await list(home.context(), [], { config: home.path('broken.json') });
    expect(home.err).toContain(`Next: mcpmux doctor a --config ${home.path('broken.json')}`);
  });

  it('tools starts a server once; after that list and tools know its tools', async () => {
    await tools(home.context(), [], {});
    expect(home.out).toContain('echo(message: string)');
    expect(home.err).toBe('');
    await tools(home.context(), [], {});
    expect(home.out).toContain('echo(message: string)');
    expect(home.err).toContain('mcpmux tools --fresh');
    await tools(home.context(), ['message'], {});
    await list(home.context(), [], {});
    expect(home.out).toContain('○  echo  not started  2 tools, as of its last run');
    expect(starts()).toBe(1);
    await tools(home.context(), [], { fresh: true });
    expect(starts()).toBe(2);
  });

  it('the tools of another command line are not shown', async () => {
    await tools(home.context(), [], {});
    const servers = { echo: { command: 'true', args: ['other'] } };
    home.write('.config/mcpmux/config.json', { mcpServers: servers });
    expect(home.out).toContain('echo(message: string)');
    await list(home.context(), [], {});
    expect(home.out).toBe('○  echo  not started\n');
  });

  it('tools --names prints what call takes', async () => {
    await tools(home.context(), [], { names: true });
    expect(home.out.split('\n')).toContain('echo.echo');
  });

  it('doctor and validate tell of a filter that matches none of its tools', async () => {
    const echo = { ...marked(), includeTools: ['ehco', 'echo'] };
    home.write('.config/mcpmux/config.json', { mcpServers: { echo } });
    await doctor(home.context(), ['echo'], {});
    expect(home.out).toContain(
      '! echo    "ehco" in the included tools matches no tool. Did you mean "echo"?',
    );
    expect(validateConfig(home.context(), [], {})).toBe(0);
    expect(home.err).toContain('config.json:3:5: warning: mcpServers.echo: "ehco" in the included tools');
  });

  it('list --check shows a row as soon as its server runs, and counts them', async () => {
    const slow = { command: process.execPath, args: ['-e', 'setTimeout(() => process.exit(1), 1000)'] };
    home.write('.config/mcpmux/config.json', { mcpServers: { slow, echo: marked() } });
    const plain = home.context({ yes: false });
    const drawn: string[] = [];
    const streams = {
      ...plain.streams,
      isInteractive: true,
      redraw: (line: string) => void drawn.push(line),
    };
    expect(await list({ ...plain, streams }, [], { check: true })).toBe(4);
    const { out } = home;
    expect(out).toMatch(/^●  echo  running  2 tools.*\n✖  slow  crashed .*\n$/);
    expect(drawn.join('\n')).toContain('1 of 2');
  });
});
