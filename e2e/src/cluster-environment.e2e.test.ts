import { hasNatsServer } from '@mcpmux/testing/nats-server';
import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { ClusterNodes, fixtureServers } from './testing/cluster-nodes.js';
import { connectV1 } from './testing/http-clients.js';
import { RawCli } from './testing/raw-cli.js';

const SECRETS = {
  MCPMUX_CLUSTER: 'nats://ann:s3cret-word@127.0.0.1:1',
  MCPMUX_CLUSTER_KEY: Buffer.alloc(32, 'k').toString('base64'),
};

describe('the variables of a cluster', () => {
  it.skipIf(!hasNatsServer)('K17: stay in the node: no server that it runs inherits them', async () => {
    await using cluster = await ClusterNodes.open(['a'], fixtureServers({ 'env-dump': {} }), 1, {
      env: SECRETS,
    });
    await using client = await connectV1(cluster.node('a').url);
    await expect.poll(() => client.tools()).toContain('env-dump__env');
    const text = await client.call('env-dump__env', {});
    expect(text).toContain(cluster.home);
    for (const hidden of ['MCPMUX_CLUSTER', 's3cret-word', SECRETS.MCPMUX_CLUSTER_KEY])
      expect(text).not.toContain(hidden);
  });

  it('K17: stay in a mcpmux over stdio, which needs them for logins', async () => {
    await using cli = new RawCli({ env: SECRETS });
    await cli.initialize();
    await cli.call('add_server', { name: 'env', ...fixtureCommand('env-dump') });
    const text = JSON.stringify(await cli.call('env__env', {}));
    expect(text).toContain('PATH');
    expect(text).not.toContain('MCPMUX_CLUSTER');
  });
});
