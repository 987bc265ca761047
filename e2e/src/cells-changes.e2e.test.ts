import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

import { CellClient } from './cells/cell-client.js';
import { CELLS, REVISIONS, type Era } from './cells/cell.js';
import type { JsonObject } from './surface/outcome.js';
import { CLI, cleanEnvironment, NODE } from './testing/built-cli.js';

const PROGRAM = fileURLToPath(new URL('cells/cell-server.mjs', import.meta.url));

function fronted(client: Era): CellClient {
  return new CellClient(
    client,
    { command: NODE, args: [CLI, '--log-level', 'error'], env: cleanEnvironment() },
    '',
  );
}

async function own(client: CellClient, name: string, args: JsonObject): Promise<JsonObject> {
  const { result } = await client.raw('tools/call', { name, arguments: args });
  return result as JsonObject;
}

async function toolNames(client: CellClient): Promise<readonly string[]> {
  const { result } = await client.raw('tools/list');
  return (result as { readonly tools: readonly { readonly name: string }[] }).tools.map(({ name }) => name);
}

/** Does something and waits until the client has heard that its tools are others now. */
async function changing<T>(client: CellClient, change: () => Promise<T>): Promise<T> {
  client.recorder.begin();
  const done = await change();
  await client.listChanged('tools');
  return done;
}

it.each(CELLS.map(({ client, server }) => [REVISIONS[client], REVISIONS[server], client, server] as const))(
  'a client of %s adds, calls, reloads and removes a server of %s at run time',
  async (_, revision, era, protocol) => {
    await using client = fronted(era);
    await client.connect();
    const config = { name: 'v', command: NODE, args: [PROGRAM], protocol };
    const added = await changing(client, () => own(client, 'add_server', config));
    expect(added['structuredContent']).toMatchObject({ status: 'running' });
    const listed = await own(client, 'list_servers', {});
    expect(JSON.stringify(listed['structuredContent'])).toContain(`"protocol_version":"${revision}"`);
    const spoken = { content: [{ type: 'text', text: protocol }] };
    await expect(own(client, 'v__era', {})).resolves.toMatchObject(spoken);

    await changing(client, () => own(client, 'v__add_tool', { name: 'late' }));
    await expect(toolNames(client)).resolves.toContain('v__late');
    const reloaded = await changing(client, () => own(client, 'reload_server', { name: 'v' }));
    expect(reloaded['isError']).not.toBe(true);
    await expect(toolNames(client)).resolves.not.toContain('v__late');
    await expect(own(client, 'v__era', {})).resolves.toMatchObject(spoken);

    await changing(client, () => own(client, 'remove_server', { name: 'v' }));
    const left = await toolNames(client);
    expect(left.filter((name) => name.startsWith('v__'))).toEqual([]);
    const refused = await client.raw('tools/call', { name: 'v__era', arguments: {} });
    expect(refused.error?.code).toBe(-32_602);
  },
);
