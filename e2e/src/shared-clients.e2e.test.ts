import { expect, it, vi } from 'vitest';

import { AGENTS } from './testing/agents.js';
import { fixtureServer } from './testing/fixture-server.js';
import { SharedWindows, type SharedServer } from './testing/shared-windows.js';

const WAIT = { timeout: 15_000 };
const echoForAll = { ...fixtureServer('echo'), mux: { shared: true } };

it('A13: ten clients of both SDKs share one process and five servers, and no answer crosses', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  await using shared = await SharedWindows.open(Object.fromEntries(names.map((name) => [name, echoForAll])));
  const command = { args: shared.args, env: shared.environment, cwd: shared.folder };
  const kinds = Array.from({ length: 5 }, () => AGENTS).flat();
  const agents = await Promise.all(kinds.map(([, connect]) => connect(command)));
  const wrong: string[] = [];
  await Promise.all(
    agents.map(async (agent, at) => {
      // a call to a server that still starts is refused, with that reason
      await vi.waitUntil(async () => {
        const listed = new Set((await agent.tools()).map(({ name }) => name));
        return names.every((name) => listed.has(`${name}__echo`));
      }, WAIT);
      const calls = Array.from({ length: 40 }, async (_, n) => {
        const message = `agent ${at}, message ${n}`;
        const answer = await agent.call(`${names[n % names.length]}__echo`, { message });
        if (answer.text !== message) wrong.push(`${message}: ${answer.text}`);
      });
      await Promise.all(calls);
    }),
  );
  expect(wrong.join('\n')).toBe('');
  expect(await shared.processes()).toHaveLength(1);
  const listed = await agents[0]?.call('list_servers');
  const servers = listed?.structured['servers'] as readonly SharedServer[];
  expect(servers.map(({ name, scope, windows }) => `${name} ${scope} ${windows}`)).toEqual(
    names.map((name) => `${name} all 10`),
  );
  expect(new Set(servers.map(({ pid }) => pid)).size).toBe(5);
  await Promise.all(agents.map((agent) => agent[Symbol.asyncDispose]()));
});
