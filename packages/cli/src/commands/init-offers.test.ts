import { describe, expect, it } from 'vitest';

import { ExitCode } from '../base/exit-code.js';
import { CommandError } from '../terminal/command-error.js';
import { init } from './init.js';
import { falseIfRefused } from '../terminal/consent.js';
import { makeOffers, offeredClients, type Offers } from './init-offers.js';
import { TemporaryHome } from './testing/temporary-home.js';

const CURSOR = { id: 'cursor', title: 'Cursor' } as const;
const ZED = { id: 'zed', title: 'Zed' } as const;
const BOTH: Pick<Offers, 'withServers' | 'withoutMcpmux'> = {
  withServers: [CURSOR],
  withoutMcpmux: [CURSOR, ZED],
};

/** What is asked and done where these are the answers. */
async function heard(answers: readonly boolean[], clients = BOTH): Promise<readonly string[]> {
  const reported: string[] = [];
  const rest = [...answers];
  const done =
    (what: string) =>
    (ids: readonly string[], moves = false): Promise<boolean> => {
      reported.push(`${moves ? 'moved' : what} ${ids.join(' ')}`);
      return Promise.resolve(true);
    };
  await makeOffers({
    ...clients,
    ask: (question) => {
      reported.push(question);
      return Promise.resolve(rest.shift() ?? false);
    },
    copyServers: done('taken'),
    register: done('registered'),
  });
  return reported;
}

describe('after init somebody is asked', () => {
  const MOVE =
    'Move the servers of Cursor into mcpmux? It runs them for all clients. You see the changes first.';
  const COPY = 'Copy the servers of Cursor into the config? The clients keep theirs.';
  const REGISTER = 'Register mcpmux in Cursor, Zed? You see the changes first.';

  it.each([
    [
      [true, true],
      // mcpmux takes the place of the servers that it moves
      [MOVE, 'moved cursor', REGISTER.replace('Cursor, ', ''), 'registered zed'],
    ],
    [
      [false, true, true],
      [MOVE, COPY, 'taken cursor', REGISTER, 'registered cursor zed'],
    ],
    [
      [false, false, false],
      [MOVE, COPY, REGISTER],
    ],
  ])('whether mcpmux runs the servers of clients, and with %j this is done', async (answers, expected) => {
    expect(await heard(answers)).toEqual(expected);
  });

  it('nothing where there is nothing to do', async () => {
    expect(await heard([], { withServers: [], withoutMcpmux: [] })).toEqual([]);
  });
});

it('clients with servers and clients without mcpmux are found; mcpmux itself is no server to take', async () => {
  using home = new TemporaryHome();
  home.write('.cursor/mcp.json', { mcpServers: { other: { command: 'x' } } });
  home.write('.gemini/settings.json', {
    mcpServers: { mcpmux: { command: 'npx', args: ['-y', '@mcpmux/cli'] } },
  });
  home.write('.codex/config.toml', 'broken = [');
  const offered = await offeredClients(home.context());
  expect(offered).toMatchObject({ withServers: [CURSOR], withoutMcpmux: [CURSOR] });
  expect(home.err).toContain('config.toml');
});

it.each([
  ['with --yes', { yes: true }, true],
  ['where nobody can be asked', {}, false],
])(
  '%s init asks nothing, tells what to run next and leaves clients alone',
  async (_, flags, isInteractive) => {
    using home = new TemporaryHome();
    home.write('.cursor/mcp.json', { mcpServers: { other: { command: 'x' } } });
    const before = home.read('.cursor/mcp.json');
    const context = home.context({ yes: false, ...flags });
    const code = await init({ ...context, streams: { ...context.streams, isInteractive } }, [], {});
    expect(code).toBe(0);
    expect(home.err).toContain('mcpmux import');
    expect(home.read('.cursor/mcp.json')).toBe(before);
  },
);

it('a no is no failure, Ctrl-C is one', async () => {
  const failing = (exitCode: CommandError['failure']['exitCode']) => (): Promise<never> =>
    Promise.reject(new CommandError('REFUSED', 'nothing was written.', { exitCode }));
  await expect(falseIfRefused(failing(ExitCode.Refused))).resolves.toBe(false);
  await expect(falseIfRefused(failing(ExitCode.Interrupted))).rejects.toThrow('nothing was written');
});
