import { expect, it } from 'vitest';

import { QueuedMessages } from './http-channel.js';

function message(method: string): Buffer {
  return Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`);
}

function hold(held: QueuedMessages, method: string): void {
  held.add(method, message(method));
}

it('gives out what it holds in order, once', () => {
  const held = new QueuedMessages({ maxEvents: 10, maxEventBytes: 1000 });
  hold(held, 'a');
  hold(held, 'b');
  expect(held.takeAll()).toEqual([message('a'), message('b')]);
  expect(held.takeAll()).toEqual([]);
});

it('holds one list_changed of each kind', () => {
  const held = new QueuedMessages({ maxEvents: 10, maxEventBytes: 1000 });
  for (const list of ['tools', 'tools', 'prompts', 'tools']) hold(held, `notifications/${list}/list_changed`);
  expect(held.takeAll()).toHaveLength(2);
});

it('the oldest gives way above the bounds of number and bytes', () => {
  const few = new QueuedMessages({ maxEvents: 2, maxEventBytes: 1000 });
  const small = new QueuedMessages({ maxEvents: 10, maxEventBytes: message('a').length * 2 });
  for (const held of [few, small]) {
    for (const method of ['a', 'b', 'c']) hold(held, method);
    expect(held.takeAll()).toEqual([message('b'), message('c')]);
  }
});
