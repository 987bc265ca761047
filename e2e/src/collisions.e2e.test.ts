import { describe, expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import type { RpcMessage } from './testing/json-rpc.js';
import { RawCli } from './testing/raw-cli.js';
import { textOf } from './testing/tool-response.js';

const SHARED = 'ui://dash/main';
const ALIAS = 'ui://right/dash/main';

/** mcpmux before two servers that have one URI in common. */
async function withCollision(run: (cli: RawCli) => Promise<void>): Promise<void> {
  await using cli = new RawCli({ args: ['--log-level', 'error'] });
  await cli.initialize();
  for (const name of ['left', 'right']) {
    const { command, args } = fixtureServer('resources-many');
    const env = { RESOURCES_LABEL: name };
    await cli.call('add_server', { name, command, args: [...args, SHARED, `memo:///${name}`], env });
  }
  await run(cli);
}

function entries({ result }: RpcMessage, key: string): readonly Readonly<Record<string, unknown>>[] {
  return (result?.[key] ?? []) as readonly Readonly<Record<string, unknown>>[];
}

async function read(cli: RawCli, uri: string): Promise<unknown> {
  return entries(await cli.request('resources/read', { uri }), 'contents')[0];
}

describe('a URI that two servers have', () => {
  it('A3: stays with the first server; that of the second has the name of its server in it', async () => {
    await withCollision(async (cli) => {
      const listed = entries(await cli.request('resources/list'), 'resources').map(({ uri }) => uri);
      expect(listed).toEqual([SHARED, 'memo:///left', ALIAS, 'memo:///right']);
    });
  });

  it('A3: is read at the server that it is of, and what comes back names it so', async () => {
    await withCollision(async (cli) => {
      await expect(read(cli, SHARED)).resolves.toMatchObject({ uri: SHARED, text: `left: ${SHARED}` });
      await expect(read(cli, ALIAS)).resolves.toMatchObject({ uri: ALIAS, text: `right: ${SHARED}` });
      await expect(read(cli, 'memo:///right')).resolves.toMatchObject({ text: 'right: memo:///right' });
    });
  });

  it('A3: is the alias in links, embedded resources and the user interface of tools', async () => {
    await withCollision(async (cli) => {
      const tools = entries(await cli.request('tools/list'), 'tools').filter(
        ({ name }) => name === 'left__link' || name === 'right__link',
      );
      expect(tools.map(({ _meta: meta }) => meta)).toEqual([
        { ui: { resourceUri: SHARED } },
        { ui: { resourceUri: ALIAS } },
      ]);
      const linked = await cli.call('right__link', { uri: SHARED });
      expect(entries(linked, 'content')).toMatchObject([
        { type: 'resource_link', uri: ALIAS },
        { type: 'resource', resource: { uri: ALIAS } },
      ]);
    });
  });

  it('A3: is subscribed to at its server, and its updates name it so', async () => {
    await withCollision(async (cli) => {
      await cli.request('resources/subscribe', { uri: ALIAS });
      expect(textOf(await cli.call('left__subscriptions'))).toBe('[]');
      expect(textOf(await cli.call('right__subscriptions'))).toBe(`["${SHARED}"]`);
      await cli.call('right__touch', { uri: SHARED });
      const updates = cli.messages.filter(({ method }) => method === 'notifications/resources/updated');
      expect(updates.map(({ params }) => params)).toEqual([{ uri: ALIAS }]);
    });
  });

  it('A3: moves to the server that is left when the first is removed', async () => {
    await withCollision(async (cli) => {
      await cli.call('remove_server', { name: 'left' });
      const listed = entries(await cli.request('resources/list'), 'resources').map(({ uri }) => uri);
      expect(listed).toContain('memo:///right');
      expect(listed).not.toContain('memo:///left');
      const kept = listed.find((uri) => uri !== 'memo:///right');
      await expect(read(cli, String(kept))).resolves.toMatchObject({ text: `right: ${SHARED}` });
    });
  });
});
