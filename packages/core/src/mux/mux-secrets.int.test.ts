import process from 'node:process';

import { fixtureCommand, type FixtureName } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { MuxRig } from '../testing/mux-rig.js';

const CANARY = 'canary-5f1c9d';

/** A fixture with secrets in its arguments, which it ignores. */
function leaky(name: FixtureName): { readonly command: string; readonly args: readonly string[] } {
  const { command, args } = fixtureCommand(name);
  const url = `https://user:${CANARY}@host/path?api_key=${CANARY}&a=b`;
  return { command, args: [...args, '--token', CANARY, `--password=${CANARY}`, `KEY=${CANARY}`, url] };
}

it('fault H3: no result, event, log record or error holds a value of env or a secret in arguments', async () => {
  await using rig = await MuxRig.open({}, { FROM_HOST: CANARY });
  const { client, mux } = rig;
  const said: unknown[] = [];
  const events = mux.events();
  const env = { TOKEN: CANARY };
  const attempt = async (work: Promise<unknown>): Promise<void> => {
    said.push(
      await work.catch((error: unknown) => (error instanceof Error ? [error.message, error.cause] : error)),
    );
  };
  await attempt(client.call('add_server', { name: 's', ...leaky('paged'), env }));
  await attempt(client.call('add_server', { name: 's', ...leaky('paged'), env }));
  await attempt(client.call('add_server', { name: 'bad', ...leaky('exit-on-start'), env }));
  await attempt(client.call('add_server', { name: 'none', command: 'no-such-program-here', env }));
  await attempt(client.call('add_server', { name: 'typo', ...leaky('paged'), env: { TOKEN: [CANARY] } }));
  await attempt(mux.addServer('bad', { ...leaky('exit-in-handshake'), env }));
  await attempt(mux.addServer('none', { command: 'no-such-program-here', env }));
  await attempt(mux.addServer('nul', { ...leaky('paged'), env: { TOKEN: `${CANARY}\0` } }));
  await attempt(mux.addServer('key', { ...leaky('paged'), env: { 'A=B': CANARY } }));
  const crashed = rig.reached('s', 'crashed');
  process.kill(rig.pid('s'), 'SIGKILL');
  await crashed;
  await attempt(client.call('s__first'));
  await attempt(client.call('list_servers'));
  await attempt(client.call('reload_server', { name: 's' }));
  await attempt(client.call('list_servers'));
  said.push(mux.listServers());
  await mux.close();
  for await (const event of events) said.push(event);
  expect(said.length).toBeGreaterThan(20);
  expect(rig.logger.records.length).toBeGreaterThan(5);
  const everything = JSON.stringify([said, client.lines, rig.logger.records], (_, value: unknown) =>
    value instanceof Error ? [value.message, value.stack, value.cause] : value,
  );
  expect(everything).not.toContain(CANARY);
});
