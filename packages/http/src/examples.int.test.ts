import { readFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { serve } from '../examples/serve.js';

const TOKEN = 'an example of a token';

it('shows its example in the README as it is', async () => {
  const read = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8');
  const example = await read('../examples/serve.ts');
  await expect(read('../README.md')).resolves.toContain(`\`\`\`ts\n${example}\`\`\`\n`);
});

it('has an example that serves clients with a token and nobody else', async () => {
  const token = TOKEN.replaceAll(' ', '-');
  await using served = await serve([token]);
  const ask = (headers: Record<string, string>): Promise<Response> =>
    fetch(served.url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      }),
    });
  const refused = await ask({});
  expect(refused.status).toBe(401);
  const answer = await ask({ authorization: `Bearer ${token}` });
  expect(answer.status).toBe(200);
  await expect(answer.text()).resolves.toContain('"serverInfo":{"name":"mcpmux"');
});
