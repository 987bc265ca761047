import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { nkeys } from '@nats-io/transport-node';
import { findFreePorts } from '@mcpmux/testing/free-ports';
import { hasNatsServer, createNatsServer, type NatsServer } from '@mcpmux/testing/nats-server';
import { temporaryFolder, type TemporaryFolder } from '@mcpmux/testing/temporary-folder';
import { ClusterError } from '@mcpmux/cluster';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { connectNats } from './connect-nats.js';
import type { NatsOptions } from './nats-options.js';

/** What a user may send who reads a cluster, as docs/cluster.md says. */
const READS = [
  '$JS.API.INFO',
  '$JS.API.STREAM.INFO.*',
  '$JS.API.CONSUMER.CREATE.*.>',
  '$JS.API.CONSUMER.INFO.*.*',
  '$JS.API.CONSUMER.DELETE.*.*',
  '$JS.FC.>',
];
const SECRET = 's3cret-word';

/** A server with these lines in its configuration. */
async function serverWith(access: string): Promise<NatsServer> {
  const [port = 0, monitorPort = 0] = await findFreePorts(2);
  const server = createNatsServer({ name: 'n0', port, monitorPort, cluster: '', access });
  await server.start();
  return server;
}

/** Whether a node can use the cluster. */
async function used(options: NatsOptions): Promise<boolean> {
  const cluster = await connectNats(options);
  try {
    const bucket = await cluster.bucket('b');
    await bucket.create(crypto.randomUUID(), Buffer.from('1'));
    return true;
  } finally {
    await cluster.close();
  }
}

async function refusal(options: NatsOptions): Promise<ClusterError> {
  const error: unknown = await connectNats(options).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ClusterError);
  return error as ClusterError;
}

describe.skipIf(!hasNatsServer)('NATS with accounts', () => {
  let server: NatsServer;
  let folder: TemporaryFolder;
  let host: string;
  const user = nkeys.createUser();

  beforeAll(async () => {
    folder = await temporaryFolder();
    server = await serverWith(`accounts {
      A { jetstream: enabled, users: [{ user: ann, password: "${SECRET}" }] }
      B { jetstream: enabled, users: [{ nkey: ${user.getPublicKey()} }] }
      C { jetstream: enabled, users: [
        { user: node, password: "${SECRET}" }
        { user: reader, password: "${SECRET}", permissions: { publish: { allow: ${JSON.stringify(READS)} } } }
      ] }
    }`);
    host = new URL(server.url).host;
    writeFileSync(join(folder.path, 'seed'), `${Buffer.from(user.getSeed()).toString()}\n`);
  });

  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  const ann = (): NatsOptions => ({ servers: [`nats://ann:${SECRET}@${host}`] });
  const nkey = (): NatsOptions => ({ servers: [server.url], nkeyFile: join(folder.path, 'seed') });

  it('is used with a password of the url, and with the seed of an nkey', async () => {
    expect(await used(ann())).toBe(true);
    expect(await used(nkey())).toBe(true);
  });

  it('keeps clusters of the same name apart, each in its account', async () => {
    const [one, other] = [await connectNats(ann()), await connectNats(nkey())];
    await (await one.bucket('servers')).create('echo', Buffer.from('1'));
    expect(await (await other.bucket('servers')).get('echo')).toBeUndefined();
    await Promise.all([one.close(), other.close()]);
  });

  it('is read by a user who may change nothing, and who makes no bucket', async () => {
    const url = (name: string): string => `nats://${name}:${SECRET}@${host}`;
    const reader = await connectNats({ servers: [url('reader')], isReader: true });
    await expect(reader.bucket('servers')).rejects.toMatchObject({ code: 'NOBODY' });
    const node = await connectNats({ servers: [url('node')] });
    await (await node.bucket('servers')).create('echo', Buffer.from('1'));
    const reported: string[] = [];
    const stop = await (await reader.bucket('servers')).watch(({ key }) => reported.push(key));
    expect(reported).toEqual(['echo']);
    stop();
    await expect((await reader.bucket('servers')).create('other', Buffer.from('1'))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    await Promise.all([reader.close(), node.close()]);
  });

  it('refuses another password, and no credentials, without a word of a secret', async () => {
    for (const servers of [[`nats://ann:not-${SECRET}@${host}`], [server.url]]) {
      const { code, message } = await refusal({ servers });
      expect(code).toBe('REFUSED');
      expect(message).toContain(`nats://${host}`);
      expect(message).not.toContain(SECRET);
    }
  });
});

const hasOpenssl = (): boolean => {
  try {
    return execFileSync('openssl', ['version']).length > 0;
  } catch {
    return false;
  }
};

describe.skipIf(!hasNatsServer || !hasOpenssl())('NATS over TLS', () => {
  let server: NatsServer;
  let folder: TemporaryFolder;
  let host: string;
  const file = (name: string): string => join(folder.path, name);

  beforeAll(async () => {
    folder = await temporaryFolder();
    certificates(folder.path);
    const tls = `cert_file: "${file('server.pem')}", key_file: "${file('server.key')}", ca_file: "${file('ca.pem')}"`;
    server = await serverWith(`tls { ${tls}, verify: true }`);
    host = new URL(server.url).host;
  });

  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  it('is used with the certificates of a private authority, on both sides', async () => {
    const tls = { caFile: file('ca.pem'), certFile: file('node.pem'), keyFile: file('node.key') };
    expect(await used({ servers: [`tls://${host}`], tls })).toBe(true);
  });

  it('is refused without the authority, and without a certificate of the node', async () => {
    const unknown = await refusal({ servers: [`tls://${host}`] });
    expect([unknown.code, unknown.message]).toEqual(['UNAVAILABLE', expect.stringMatching(/certificate/)]);
    const own = await refusal({ servers: [`tls://${host}`], tls: { caFile: file('ca.pem') } });
    expect(own.message).toContain(`tls://${host}`);
  });
});

/** An authority, and certificates of a server and of a node. */
function certificates(folder: string): void {
  const openssl = (...args: readonly string[]): void =>
    void execFileSync('openssl', [...args], { cwd: folder, stdio: 'ignore' });
  const key = ['-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=test authority');
  for (const name of ['server', 'node']) {
    const names = ['-addext', 'subjectAltName=IP:127.0.0.1', '-subj', `/CN=${name}`];
    const authority = ['-CA', 'ca.pem', '-CAkey', 'ca.key'];
    openssl('req', '-x509', ...key, ...names, ...authority, '-keyout', `${name}.key`, '-out', `${name}.pem`);
  }
}
