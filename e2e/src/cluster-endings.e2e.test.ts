import { hasNatsServer } from '@mcpmux/testing/nats-server';
import { describe, expect, it } from 'vitest';

import { runs } from './chaos/process-files.js';
import { untilAnswered } from './testing/cluster-calls.js';
import { ClusterNodes, fixtureServers } from './testing/cluster-nodes.js';
import { connectV1 } from './testing/http-clients.js';

describe.skipIf(!hasNatsServer)('a node that is told to end', () => {
  it('K11: ends in seconds while its server of NATS hangs, and leaves no server behind', async () => {
    await using cluster = await ClusterNodes.open(['a'], fixtureServers({ echo: {} }));
    const node = cluster.node('a');
    await using client = await connectV1(node.url);
    await untilAnswered(client, 'before');
    // A server that started before its first client may have started again for it.
    const started = [...node.stderr.matchAll(/\[echo\] started a server process .*?pid=(\d+)/g)];
    const pid = Number(started.at(-1)?.[1]);
    expect(runs(pid)).toBe(true);
    cluster.nats[0]?.sendSignal('SIGSTOP');
    const from = performance.now();
    node.child.kill('SIGTERM');
    expect(await node.ended).toEqual({ code: 143, signal: null });
    expect(performance.now() - from).toBeLessThan(15_000);
    expect(runs(pid)).toBe(false);
  }, 40_000);
});
