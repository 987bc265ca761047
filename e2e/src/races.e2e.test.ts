import process from 'node:process';

import { Lifeline } from '@mcpmux/test-servers';
import { seededRandom, type SeededRandom } from '@mcpmux/testing/seeded-random';
import { describe, expect, it } from 'vitest';

import { zombiesOf } from './chaos/process-files.js';
import { fixtureServer } from './testing/fixture-server.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';

const GONE_MS = 10_000;
const OPERATIONS = 60;
/** `RACE_SEED=n` runs another one. */
const SEEDS = process.env['RACE_SEED'] === undefined ? [1, 2, 3] : [Number(process.env['RACE_SEED'])];
const SWAPPED = 'swapped';
const NAMES = [SWAPPED, 'b', 'c'];

/** A request to make, by chance. */
function operation(random: SeededRandom): { readonly tool: string; readonly args: object } {
  const name = random.pick(NAMES);
  const fixture = fixtureServer(random.pick(['faulty', 'faulty', 'echo', 'exit-in-handshake']));
  return random.pick([
    { tool: 'add_server', args: { name, ...fixture } },
    { tool: 'reload_server', args: { name } },
    { tool: 'reload_server', args: { name } },
    { tool: 'remove_server', args: { name } },
    { tool: `${name}__echo`, args: { nonce: 'n', n: 0, message: 'm' } },
    { tool: `${name}__echo`, args: { nonce: 'n', n: 0, message: 'm' } },
    { tool: 'list_servers', args: {} },
  ]);
}

function responsesOf(cli: RawCli): readonly string[] {
  return cli.messages.flatMap(({ id, method }) =>
    method === undefined && typeof id === 'string' ? [id] : [],
  );
}

describe('servers that are added, swapped, removed and called at once', () => {
  it.concurrent.each(SEEDS)(
    'E5, E6: every request is answered once, and no process is left (seed %i)',
    async (seed) => {
      const random = seededRandom(seed);
      await using lifeline = await Lifeline.open();
      await using person = await Person.arrive();
      const swapped = { ...fixtureServer('faulty'), mux: { reload: 'swap' } };
      await person.configure({ mcpServers: { [SWAPPED]: swapped } });
      const env = { ...person.environment, LIFELINE: lifeline.address };
      const cli = new RawCli({
        env,
        cwd: person.home,
        args: ['--log-level', 'info', '--add-policy', 'allow'],
      });
      await cli.initialize();
      const ids = Array.from({ length: OPERATIONS }, (_, index) => `${seed}-${index}`);
      const answers = ids.map(async (id) => {
        const { tool, args } = operation(random);
        const answered = cli.request('tools/call', { name: tool, arguments: args }, id);
        if (random.integerBelow(4) === 0)
          cli.write('{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}');
        return answered;
      });
      await Promise.all(answers);
      const { result } = await cli.call('list_servers');
      const listed = result?.['structuredContent'] as { servers: { status: string }[] } | undefined;
      expect(listed?.servers.map(({ status }) => status).filter((status) => status === 'starting')).toEqual(
        [],
      );
      expect(zombiesOf(cli.child.pid ?? 0)).toEqual([]);
      await cli[Symbol.asyncDispose]();
      expect(responsesOf(cli)).toHaveLength(OPERATIONS);
      expect(new Set(responsesOf(cli))).toEqual(new Set(ids));
      await lifeline.waitForAllGone(GONE_MS);
    },
  );
});
