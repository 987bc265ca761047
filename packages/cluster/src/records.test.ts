import { expect, it } from 'vitest';

import { encodeRecord, keyOf, nameOf, nodeRecord, ownerRecord, serverRecord } from './records.js';

const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

it('a record of a later version is read: what is not known stays unread', () => {
  const node = {
    name: 'a',
    labels: ['x'],
    capacity: 3,
    isDraining: true,
    servers: 1,
    version: '9',
    started: 't',
    renewal: 4,
  };
  expect(nodeRecord(bytes({ ...node, later: { much: 1 } }))).toEqual(node);
  expect(serverRecord(bytes({ spec: 1, host: 'h', later: 2, failover: 'sometimes' }))).toMatchObject({
    spec: 1,
    host: 'h',
    failover: undefined,
  });
  const owner = { node: 'a-1', name: 'a', epoch: 2 };
  expect(ownerRecord(bytes({ ...owner, later: 3 }))).toEqual(owner);
});

it('a record that is none counts as absent', () => {
  for (const value of [Buffer.from('{'), bytes([]), bytes(null), bytes({ other: 1 })])
    expect([nodeRecord(value), serverRecord(value), ownerRecord(value)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
});

it('a record comes back as it was', () => {
  const owner = { node: 'a-1', name: 'a', epoch: 7 };
  expect(ownerRecord(encodeRecord(owner))).toEqual(owner);
});

it('any name of a server is a key, and comes back', () => {
  for (const name of ['plain', 'with space', 'dot.ted', 'a/b', '日本', "q'(x)*!~", '100%', 'a=b']) {
    expect(keyOf(name)).toMatch(/^[\w=-]+$/);
    expect(nameOf(keyOf(name))).toBe(name);
  }
});
