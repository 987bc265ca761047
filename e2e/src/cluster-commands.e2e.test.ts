import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

import { hasNatsServer } from '@mcpmux/testing/nats-server';
import { describe, expect, it } from 'vitest';

import { CLI, cleanEnvironment, NODE } from './testing/built-cli.js';
import { untilAnswered } from './testing/cluster-calls.js';
import { ClusterNodes, fixtureServers } from './testing/cluster-nodes.js';
import { connectV1 } from './testing/http-clients.js';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command with the home of a cluster, and waits for its end, whatever it is. */
function run(cluster: ClusterNodes, ...words: readonly string[]): Promise<Ended> {
  const env = cleanEnvironment({ HOME: cluster.home });
  return new Promise((resolve) => {
    execFile(NODE, [CLI, ...words], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

const clusterCommand = (cluster: ClusterNodes, ...words: readonly string[]): Promise<Ended> =>
  run(cluster, 'cluster', ...words, ...cluster.nats.flatMap(({ url }) => ['--cluster', url]));

describe.skipIf(!hasNatsServer)('the commands of a cluster', () => {
  it('K12: name a killed node as silent, exit with 4 for its servers, and drain the living node of its name', async () => {
    const echo = { failover: 'never', host: 'a' };
    await using cluster = await ClusterNodes.open(['a'], fixtureServers({ echo }));
    await using client = await connectV1(cluster.node('a').url);
    await untilAnswered(client, 'before');
    expect(await clusterCommand(cluster, 'status')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^echo +a +epoch/),
    });
    await cluster.kill('a');
    const [placed, listed, refused] = await Promise.all([
      clusterCommand(cluster, 'status'),
      clusterCommand(cluster, 'nodes'),
      clusterCommand(cluster, 'drain', 'a'),
    ]);
    expect(placed.stdout).toMatch(/^echo +nowhere +epoch \d+ +its node a gives no sign of life$/m);
    expect(placed.code).toBe(4);
    expect(listed.stdout).toMatch(/^a .* silent$/m);
    expect(refused).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('node a gives no sign of life'),
    });
    await cluster.start('a');
    const nodes = await clusterCommand(cluster, 'nodes', '--json');
    const running = (JSON.parse(nodes.stdout) as { id: string; status: string }[]).filter(
      ({ status }) => status === 'running',
    );
    const drained = await clusterCommand(cluster, 'drain', 'a', '--json');
    expect(JSON.parse(drained.stdout)).toEqual(running.map(({ id }) => id));
  });

  it('say that no node has joined, without making anything in NATS', async () => {
    await using cluster = await ClusterNodes.open([], {});
    const { code, stderr } = await clusterCommand(cluster, 'status');
    expect(code).toBe(4);
    expect(stderr).toContain('No node has joined the cluster "mcpmux"');
    expect(stderr).toContain('start a node: mcpmux serve --http');
  });
});

describe.skipIf(!hasNatsServer)('mcpmux reload on a node', () => {
  it('K2: says which servers the cluster does not have while NATS is gone, and removes them the next time', async () => {
    await using cluster = await ClusterNodes.open(['a'], fixtureServers({ echo: {}, progress: {} }));
    const node = cluster.node('a');
    const [nats] = cluster.nats;
    await cluster.ownerOf('progress');
    await nats?.kill();
    await node.until(() => node.stderr.includes('the connection to the cluster is lost'));
    const config = readFileSync(cluster.config, 'utf8');
    const { echo } = (JSON.parse(config) as { mcpServers: { echo: object } }).mcpServers;
    writeFileSync(cluster.config, JSON.stringify({ mcpServers: { echo } }));
    const failed = await run(cluster, 'reload', '--pid', String(node.child.pid));
    expect(failed.code).toBe(4);
    expect(failed.stderr).toMatch(/does not have what the config says of echo, progress: .*no connection/);
    expect(failed.stderr).toContain('Next: mcpmux reload');
    await nats?.start();
    await node.until(() => node.stderr.includes('the connection to the cluster is back'));
    const reload = (): Promise<Ended> => run(cluster, 'reload', '--pid', String(node.child.pid));
    await expect.poll(async () => (await reload()).code, { timeout: 15_000 }).toBe(0);
    const { stdout } = await clusterCommand(cluster, 'status', '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'echo' }]);
  });
});
