import { hostname } from 'node:os';
import { resolve } from 'node:path';

import { expect, it } from 'vitest';

import { clusterOptions } from './cluster-options.js';

const none = { flags: {}, settings: undefined, environment: {} };

it('nothing that names a server of NATS: no cluster', () => {
  expect(clusterOptions(none)).toBeUndefined();
  expect(
    clusterOptions({ ...none, settings: { labels: ['x'] }, environment: { MCPMUX_CLUSTER: '' } }),
  ).toBeUndefined();
});

it('the flags win over the environment, and both over the config', () => {
  const settings = { servers: ['nats://config'], node: 'of-config' };
  const environment = (): NodeJS.ProcessEnv => ({
    MCPMUX_CLUSTER: 'nats://one,nats://two',
    MCPMUX_NODE: 'of-environment',
  });
  const all = { settings, environment: environment(), flags: { cluster: ['nats://flag'], node: 'of-flag' } };
  expect(clusterOptions(all)).toMatchObject({ nats: { servers: ['nats://flag'] }, name: 'of-flag' });
  const some = { settings, environment: environment(), flags: {} };
  expect(clusterOptions(some)).toMatchObject({
    nats: { servers: ['nats://one', 'nats://two'] },
    name: 'of-environment',
  });
  const one = { settings, environment: {}, flags: {} };
  expect(clusterOptions(one)).toMatchObject({ nats: { servers: ['nats://config'] }, name: 'of-config' });
});

it('a node has the name of its host when nobody names it, and an id for each start', () => {
  const given = { ...none, flags: { cluster: ['nats://a'] } };
  const [first, second] = [clusterOptions(given), clusterOptions(given)];
  expect(first?.name).toBe(hostname());
  expect(first?.id).toMatch(/^[\w-]+-[\da-f]{8}$/);
  expect(first?.id).not.toBe(second?.id);
});

it('files are relative to the config', () => {
  const settings = { servers: ['nats://a'], credentialsFile: 'a.creds', tls: { caFile: '/etc/ca.pem' } };
  const { nats } = clusterOptions({ ...none, settings, file: '/etc/mcpmux/config.json' }) ?? {};
  expect(nats).toMatchObject({
    credentialsFile: resolve('/etc/mcpmux/a.creds'),
    tls: { caFile: resolve('/etc/ca.pem') },
  });
});

it('the URLs of NATS leave the environment, wherever the options are from: no server inherits a password', () => {
  for (const flags of [{}, { cluster: ['nats://flag'] }]) {
    const environment = { MCPMUX_CLUSTER: 'nats://ann:s3cret@one', MCPMUX_NODE: 'a' };
    clusterOptions({ ...none, flags, environment });
    expect(environment).toEqual({ MCPMUX_NODE: 'a' });
  }
});

it('a node has the name that was written, and an id without its dots', () => {
  const named = clusterOptions({ ...none, flags: { cluster: ['nats://a'], node: 'web-1.example.com' } });
  expect(named).toMatchObject({ name: 'web-1.example.com', nats: { node: 'web-1.example.com' } });
  expect(named?.id).toMatch(/^web-1-example-com-[\da-f]{8}$/);
});
