import type { PeerCertificate } from 'node:tls';

import { expect, it } from 'vitest';

import { serverIdentity } from './server-identity.js';

function certificate(subjectaltname: string): PeerCertificate {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the members that are checked
  return { subjectaltname, subject: { CN: 'server' } } as PeerCertificate;
}

const check = (urls: readonly string[], host: string, names: string): boolean =>
  serverIdentity(urls.map((url) => new URL(url))).checkServerIdentity(host, certificate(names)) === undefined;

it.each([
  [['tls://10.0.0.1'], 'localhost', 'IP Address:10.0.0.1', true],
  [['tls://10.0.0.1', 'tls://10.0.0.2'], 'localhost', 'IP Address:10.0.0.2', true],
  [['tls://[::1]:4222'], 'localhost', 'IP Address:0:0:0:0:0:0:0:1', true],
  [['tls://10.0.0.1'], 'localhost', 'IP Address:10.0.0.3', false],
  [['tls://10.0.0.1'], 'localhost', 'DNS:localhost', false],
  [['tls://localhost', 'tls://10.0.0.1'], 'localhost', 'DNS:localhost', true],
  [['tls://nats.example'], 'nats.example', 'DNS:nats.example', true],
  [['tls://nats.example'], 'nats.example', 'DNS:other.example', false],
])(
  'for %j, a server that Node.js calls %s with the names %s is accepted: %s',
  (urls, host, names, isRight) => {
    expect(check(urls, host, names)).toBe(isRight);
  },
);
