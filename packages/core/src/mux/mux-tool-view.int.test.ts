import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { createMux } from './mux.js';
import { MuxClient } from '../testing/mux-client.js';

it('clients see of a server what its view lets through, and reach a renamed or hidden tool as the server knows it', async () => {
  await using mux = createMux();
  const status = await mux.addServer('echo', fixtureCommand('echo-v2'), {
    tools: {
      shown: (tool) => (tool === 'reverse' ? false : { name: `my_${tool}`, isHidden: tool === 'slow_echo' }),
    },
  });
  expect(status.tools).toEqual(['echo__my_echo']);
  const client = await MuxClient.initialized(mux);
  const { result } = await client.request('tools/list', {});
  expect(JSON.stringify(result)).toContain('"echo__my_echo"');
  expect(JSON.stringify(result)).not.toMatch(/slow_echo|reverse/);
  const found = await mux.callTool('search_tools', { query: 'slow' });
  expect(JSON.stringify(found)).toContain('echo__my_slow_echo');
  expect(await mux.callTool('echo__my_echo', { message: 'hi' })).toMatchObject({ content: [{ text: 'hi' }] });
  expect(await mux.callTool('echo__my_slow_echo', { message: 'hi', delay_ms: 1 })).toMatchObject({
    content: [{ text: 'hi' }],
  });
  for (const gone of ['echo__reverse', 'echo__echo', 'reverse']) {
    await expect(mux.callTool(gone, { message: 'hi' })).rejects.toMatchObject({ code: 'CALL_FAILED' });
  }
  const reloaded = await mux.reloadServer('echo');
  expect(reloaded.tools).toEqual(status.tools);
});
