import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { describe, expect, it } from 'vitest';

import { MuxRig, textOf } from '../testing/mux-rig.js';

const SECRET = 'Bearer s3cr3t-token-of-the-test';

describe.each([
  ['Streamable HTTP', {}],
  ['Streamable HTTP with JSON answers', { answersInJson: true }],
  ['the deprecated SSE transport', { transport: 'sse' }],
] as const)('a server at a url over %s', (_, options) => {
  it('S13: is added, listed with its url and without a process, called, and removed', async () => {
    await using server = await RemoteServer.open(options);
    await using rig = await MuxRig.open();
    const added = await rig.client.manage('add_server', { name: 'far', url: server.url });
    expect(added).toMatchObject({ name: 'far', status: 'running' });
    const { result } = await rig.client.call('far__echo', { message: 'over there' });
    expect(textOf(result)).toBe('over there');
    expect(rig.status('far')).toMatchObject({ url: server.url, pid: null, status: 'running' });
    expect(rig.status('far')).not.toHaveProperty('command');
    await rig.client.manage('remove_server', { name: 'far' });
    await server.connections(0);
    expect(server.sessionCount).toBe(0);
  });

  it('S13, fault H3: sends its headers with every request and shows them nowhere', async () => {
    await using server = await RemoteServer.open(options);
    await using rig = await MuxRig.open();
    const url = server.url.replace('http://', 'http://me:hunter22@').concat('?key=abcdef123');
    await rig.client.manage('add_server', { name: 'far', url, headers: { Authorization: SECRET } });
    const { servers } = await rig.client.manage('list_servers');
    expect(servers).toMatchObject([{ url: `${server.url.replace('http://', 'http://***@')}?key=***` }]);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
      server.requests.map(() => SECRET),
    );
    const shown = rig.client.lines.join('\n') + JSON.stringify(rig.logger.records);
    for (const secret of ['s3cr3t', 'hunter22', 'abcdef123']) expect(shown).not.toContain(secret);
  });
});
