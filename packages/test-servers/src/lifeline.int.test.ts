import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { expect, it } from 'vitest';

import { Lifeline } from './index.js';

function join({ address }: Lifeline, introduction: string): Socket {
  const { hostname, port } = new URL(`tcp://${address}`);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(introduction);
  return socket.resume();
}

it('counts a process as alive from its introduction to the end of its connection', async () => {
  await using lifeline = await Lifeline.open();
  const server = join(lifeline, '{"role":"server","pid":1}\n');
  const grandchild = join(lifeline, '{"role":"grandchild","pid":2}\n');
  const alive = await lifeline.waitForAlive(2);
  expect(alive.toSorted((a, b) => a.pid - b.pid)).toEqual([
    { role: 'server', pid: 1 },
    { role: 'grandchild', pid: 2 },
  ]);
  server.end();
  grandchild.end();
  await lifeline.waitForAllGone(5000);
  expect(lifeline.alive).toEqual([]);
});

it('notices the death of one process while others live', async () => {
  await using lifeline = await Lifeline.open();
  const server = join(lifeline, '{"role":"server","pid":1}\n');
  join(lifeline, '{"role":"grandchild","pid":2}\n');
  await lifeline.waitForAlive(2);
  server.end();
  await lifeline.waitForGone(1, 5000);
  expect(lifeline.alive).toEqual([{ role: 'grandchild', pid: 2 }]);
  await expect(lifeline.waitForGone(2, 1)).rejects.toThrow(
    'pid 2 expected to be gone, alive: grandchild (pid 2)',
  );
});

it('counts a connection that was reset as a death', async () => {
  await using lifeline = await Lifeline.open();
  const server = join(lifeline, '{"role":"server","pid":1}\n');
  await lifeline.waitForAlive(1);
  server.resetAndDestroy();
  await expect(lifeline.waitForAllGone(5000)).resolves.toBeUndefined();
});

it('accepts an introduction that arrives in two pieces', async () => {
  await using lifeline = await Lifeline.open();
  const server = join(lifeline, '{"role":"ser');
  await once(server, 'connect');
  server.write('ver","pid":1}\n');
  await expect(lifeline.waitForAlive(1)).resolves.toEqual([{ role: 'server', pid: 1 }]);
});

it('names the roles and pids that are still alive at the deadline', async () => {
  await using lifeline = await Lifeline.open();
  join(lifeline, '{"role":"server","pid":41}\n');
  await lifeline.waitForAlive(1);
  await expect(lifeline.waitForAllGone(1)).rejects.toThrow(
    'all processes expected to be gone, alive: server (pid 41) after 1 ms',
  );
});

it('says who is alive when fewer processes than expected introduce themselves', async () => {
  await using lifeline = await Lifeline.open();
  await expect(lifeline.waitForAlive(2, 1)).rejects.toThrow(
    '2 processes expected to be alive, alive: none after 1 ms',
  );
});

it('ends the connections of its processes when it is closed, and may be closed twice', async () => {
  const lifeline = await Lifeline.open();
  const server = join(lifeline, '{"role":"server","pid":1}\n');
  await lifeline.waitForAlive(1);
  const ended = once(server, 'close');
  await lifeline[Symbol.asyncDispose]();
  await ended;
  await expect(lifeline[Symbol.asyncDispose]()).resolves.toBeUndefined();
});
