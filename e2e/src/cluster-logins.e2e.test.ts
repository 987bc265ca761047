import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { LoginGate } from '@mcpmux/test-servers/login-gate';
import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { hasNatsServer } from '@mcpmux/testing/nats-server';
import { describe, expect, it } from 'vitest';

import { ClusterNodes } from './testing/cluster-nodes.js';
import { connectV1, type HttpClient } from './testing/http-clients.js';
import { Person } from './testing/person.js';

const PAGE = /http:\/\/127\.0\.0\.1\S+\/authorize\S+/;
const newKey = (): string => randomBytes(32).toString('base64');

/** Calls until the server answers. */
async function untilAnswered(client: HttpClient, message: string): Promise<void> {
  await expect
    .poll(() => client.call('far__echo', { message }).catch(String), { timeout: 20_000 })
    .toBe(message);
}

/** All that a server of NATS has written, as text. */
function written(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n');
}

/** Logs a person in whose config names the cluster. */
async function logIn(url: string, nats: string, key: string): Promise<string> {
  await using person = await Person.arrive();
  const tokenKeyFile = await person.write('cluster.key', `${key}\n`);
  await person.configure({ mcpServers: { far: { url } }, cluster: { servers: [nats], tokenKeyFile } });
  const login = person.start('login', 'far');
  expect(await (await fetch(await login.reported(PAGE))).text()).toContain('You can close this page');
  const { code, stderr } = await login.ended;
  expect(code).toBe(0);
  return stderr;
}

describe.skipIf(!hasNatsServer)('a login to a server at a url, in a cluster', () => {
  it('K9: is made once: another node takes the server of a killed node, and renews the login', async () => {
    await using far = await RemoteServer.open();
    const gate = new LoginGate(far, { tokenName: 'plain-access-token' });
    const key = newKey();
    await using cluster = await ClusterNodes.open(['a', 'b'], { far: { url: far.url } }, 1, {
      env: { MCPMUX_CLUSTER_KEY: key },
    });
    const [nats] = cluster.nats;
    expect(await logIn(far.url, nats?.url ?? '', key)).toContain('The login is saved in the cluster');
    const [{ node: owner }] = JSON.parse(await cluster.command('status', '--json')) as [{ node: string }];
    const other = owner === 'a' ? 'b' : 'a';
    await using client = await connectV1(cluster.node(other).url);
    await untilAnswered(client, 'before');
    gate.expire();
    await untilAnswered(client, 'renewed');
    await cluster.kill(owner);
    await untilAnswered(client, 'after');
    gate.expire();
    await untilAnswered(client, 'renewed again');
    expect(gate.authorized).toHaveLength(1);
    const renewals = gate.asked.map((form) => form.get('refresh_token'));
    expect(renewals).toEqual([null, 'refresh-1', 'refresh-2']);
    const store = written(nats?.folder ?? '');
    expect(store).toContain('$KV.mcpmux_tokens.');
    const seen = store + cluster.node(other).stderr;
    for (const hidden of ['plain-access-token', 'refresh-1', 'refresh-3', 'access_token', key])
      expect(seen).not.toContain(hidden);
  });

  it('K16: that a node has no key for stays unread: the log names the server and the keys, and no value', async () => {
    await using far = await RemoteServer.open();
    const gate = new LoginGate(far, { tokenName: 'plain-access-token' });
    const [key, wrong] = [newKey(), newKey()];
    await using cluster = await ClusterNodes.open(['a'], { far: { url: far.url } }, 1, {
      env: { MCPMUX_CLUSTER_KEY: wrong },
    });
    await logIn(far.url, cluster.nats[0]?.url ?? '', key);
    const node = cluster.node('a');
    await node.until(() => /\[far\].*cannot be read: it is sealed with the key/.test(node.stderr));
    await using client = await connectV1(node.url);
    await expect(client.call('far__echo', { message: 'x' }).catch(String)).resolves.toContain('far');
    for (const hidden of ['plain-access-token', 'refresh-1', key, wrong])
      expect(node.stderr).not.toContain(hidden);
    expect(gate.authorized).toHaveLength(1);
  });
});
