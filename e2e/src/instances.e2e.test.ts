import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import type { RpcMessage } from './testing/json-rpc.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';

const ECHO = fixtureServer('echo');

interface Listed {
  readonly instances: readonly {
    readonly instance_id: string;
    readonly name: string;
    readonly pid: number;
    readonly connected_as?: string;
  }[];
}

/** A mcpmux in a folder of this person, once others can find it. */
async function instanceIn(person: Person, name: string): Promise<RawCli> {
  const cwd = join(person.home, name);
  await mkdir(cwd);
  const args = ['--log-level', 'debug', '--no-config'];
  const mcpmux = new RawCli({ args, env: person.environment, cwd });
  await mcpmux.initialize();
  await mcpmux.until(() => (mcpmux.stderr.includes('commands can reach this mcpmux') ? true : undefined));
  return mcpmux;
}

async function instancesSeenBy(mcpmux: RawCli): Promise<Listed['instances']> {
  const { result } = await mcpmux.call('list_instances');
  if (result === undefined) throw new Error('list_instances has no result');
  return (result['structuredContent'] as Listed).instances;
}

function textOf({ result }: RpcMessage): string {
  const content = result?.['content'] as readonly { readonly text: string }[] | undefined;
  return content?.[0]?.text ?? '';
}

it('hub H1, H3, H5, H7: two instances and a hub before them: found, connected, called, and one that is killed is gone', async () => {
  await using person = await Person.arrive();
  await using one = await instanceIn(person, 'one');
  const two = await instanceIn(person, 'two');
  await using hub = await instanceIn(person, 'hub');
  await Promise.all([one, two].map((mcpmux) => mcpmux.call('add_server', { name: 'e', ...ECHO })));
  const seen = await instancesSeenBy(hub);
  expect(
    seen.map(({ name, pid }) => [name, pid]).toSorted(([a], [b]) => String(a).localeCompare(String(b))),
  ).toEqual([
    ['one', one.child.pid],
    ['two', two.child.pid],
  ]);
  for (const { instance_id } of seen) await hub.call('connect_instance', { instance_id });
  const first = await hub.call('one__e__echo', { message: 'to one' });
  const second = await hub.call('two__e__echo', { message: 'to two' });
  expect([first, second].map(textOf)).toEqual(['to one', 'to two']);
  // Nobody else sees what the hub's session is connected to.
  expect((await instancesSeenBy(one)).map(({ connected_as: as }) => as)).toEqual([undefined, undefined]);
  two.child.kill('SIGKILL');
  await once(two.child, 'close');
  await hub.until(() => (hub.stderr.includes('Server "two" cannot be reached') ? true : undefined));
  expect(textOf(await hub.call('two__e__echo', { message: 'm' }))).toContain('cannot be reached');
  expect((await instancesSeenBy(hub)).map(({ name, connected_as: as }) => [name, as])).toEqual([
    ['one', 'one'],
  ]);
  expect(textOf(await hub.call('one__e__echo', { message: 'still' }))).toBe('still');
});
