import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';

import { HeldMessages } from './held-messages.js';

function message(method: string): JSONRPCMessage {
  return { jsonrpc: '2.0', method };
}

it('gives out what it holds in order, once', () => {
  const held = new HeldMessages({ maxEvents: 10, maxEventBytes: 1000 });
  held.hold(message('a'));
  held.hold(message('b'));
  expect(held.takeAll()).toEqual([message('a'), message('b')]);
  expect(held.takeAll()).toEqual([]);
});

it('holds one list_changed of each kind', () => {
  const held = new HeldMessages({ maxEvents: 10, maxEventBytes: 1000 });
  for (const list of ['tools', 'tools', 'prompts', 'tools'])
    held.hold(message(`notifications/${list}/list_changed`));
  expect(held.takeAll()).toHaveLength(2);
});

it('the oldest gives way above the bounds of number and bytes', () => {
  const few = new HeldMessages({ maxEvents: 2, maxEventBytes: 1000 });
  const small = new HeldMessages({ maxEvents: 10, maxEventBytes: JSON.stringify(message('a')).length * 2 });
  for (const held of [few, small]) {
    for (const method of ['a', 'b', 'c']) held.hold(message(method));
    expect(held.takeAll()).toEqual([message('b'), message('c')]);
  }
});
