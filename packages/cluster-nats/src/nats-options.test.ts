import { expect, it } from 'vitest';

import { clientOptions, redactedServers } from './nats-options.js';

const SECRET = 's3cret';

it.each([
  ['nats://host', 'nats://host'],
  ['host:4222', 'nats://host:4222'],
  [`ann:${SECRET}@host:4222`, 'nats://host:4222'],
  [`nats://ann:${SECRET}@host`, 'nats://host'],
  [`nats://ann:p@${SECRET}@host`, 'nats://host'],
  [`nats://${SECRET}@host`, 'nats://host'],
  [`tls://ann:${SECRET}@[::1]:4222`, 'tls://[::1]:4222'],
  [`nats://ann:/${SECRET}@host`, 'an unreadable URL'],
  [`nats://ann:12/${SECRET}@host`, 'an unreadable URL'],
  [`nats://ann:12#${SECRET}@host`, 'an unreadable URL'],
  [`nats://ann:12?${SECRET}@host`, 'an unreadable URL'],
  [`http://ann:${SECRET}@host`, 'an unreadable URL'],
])('%s is shown as %s', (server, shown) => {
  expect(redactedServers({ servers: [server] })).toBe(shown);
});

it('a URL that cannot be read is refused by its place, and without its text', () => {
  const servers = ['nats://host', `nats://ann:12/${SECRET}@host`];
  expect(() => clientOptions({ servers })).toThrow('URL 2 is not of the form nats://');
  expect(() => clientOptions({ servers })).not.toThrow(SECRET);
});

it('a password of a URL is the text that its percent signs stand for', () => {
  expect(clientOptions({ servers: ['nats://ann:p%40%2Fq@host'] })).toMatchObject({
    user: 'ann',
    pass: 'p@/q',
  });
  expect(clientOptions({ servers: ['ann:p@q@host'] })).toMatchObject({ servers: ['host'], pass: 'p@q' });
});
