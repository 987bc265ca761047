import type { Script } from '../script.js';
import type { SurfaceClient } from '../surface-client.js';
import { fixtureProgram, HANDSHAKE } from './fixture-program.js';

/** Follows the cursors of a list to its end. */
async function walk(client: SurfaceClient, method: string): Promise<void> {
  let cursor: unknown;
  do {
    const { result } = await client.raw(method, cursor === undefined ? {} : { cursor });
    cursor = result?.['nextCursor'];
  } while (cursor !== undefined);
}

/** A list on several pages; one of the cursors is the empty string. */
export const PAGED: Script = {
  server: 'paged',
  program: fixtureProgram('paged'),
  fence: { tool: 'first', args: {} },
  steps: [
    HANDSHAKE,
    {
      row: 'A4',
      method: 'tools/list',
      does: 'all pages of a list arrive, in their order',
      rules: ['own tools', 'prefix', 'one page'],
      run: (client) => walk(client, 'tools/list'),
    },
  ],
};

/** Progress and response in one write: a reader that takes them apart too late loses the progress. */
export const PROGRESS: Script = {
  server: 'progress',
  program: fixtureProgram('progress'),
  fence: { tool: 'count', args: { n: 0 } },
  steps: [
    HANDSHAKE,
    {
      row: 'S9',
      method: 'notifications/progress',
      does: 'progress in one chunk with its response arrives complete, before the response',
      run: (client) => client.call('count', { n: 25 }, { _meta: { progressToken: 'one chunk' } }),
    },
  ],
};
