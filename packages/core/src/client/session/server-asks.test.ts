import { expect, it } from 'vitest';

import type { Connection } from '../../server/link/connection.js';
import type { Upstream } from '../../server/upstream.js';
import { RootsRequesters } from './server-asks.js';

/** A run with a call in flight until `end` is called. */
function run(): { readonly connection: Connection; readonly end: () => void } {
  let end: () => void = () => undefined;
  const idle = new Promise<void>((resolve) => (end = resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no more of a connection is used
  return { connection: { calls: { whenIdle: () => idle } } as unknown as Connection, end: () => end() };
}

function server(parts: Pick<Partial<Upstream>, 'addedBy'>, isInstance = false): Upstream {
  const config = { command: 'a', ...(isInstance && { isolation: 'session' }) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no more of a server is used
  return { name: 's', config, layer: { holdsTemplates: !isInstance }, ...parts } as unknown as Upstream;
}

it('a server that asks for roots is told of once for each run, when its calls have ended', async () => {
  const found: string[] = [];
  const askers = new RootsRequesters(({ name }) => found.push(name));
  const [first, second] = [run(), run()];
  for (const { connection } of [first, first, second]) askers.addRequester(server({}), connection);
  await Promise.resolve();
  expect(found).toEqual([]);
  first.end();
  await expect.poll(() => found).toEqual(['s']);
  second.end();
  await expect.poll(() => found).toEqual(['s', 's']);
});

it('a server of an agent, and one that a session has for itself, are not told of', async () => {
  const found: string[] = [];
  const askers = new RootsRequesters(({ name }) => found.push(name));
  for (const upstream of [server({ addedBy: 'ann' }), server({}, true)]) {
    const { connection, end } = run();
    askers.addRequester(upstream, connection);
    end();
  }
  await new Promise((resolve) => setImmediate(resolve));
  expect(found).toEqual([]);
});
