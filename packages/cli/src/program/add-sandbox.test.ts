import { expect, it } from 'vitest';

import { parseAddSandbox } from './add-sandbox.js';
import { contradictionIn, serveOptions, type ServeFlags } from './serve-flags.js';

it.each([
  ['{}', { settings: {} }],
  ['{"network": true}', { settings: { network: true } }],
  ['{"netwrk": true}', { problem: 'It has no setting "netwrk".' }],
])('--add-sandbox %s', (text, read) => {
  expect(parseAddSandbox(text)).toEqual(read);
});

it.each(['true', 'x', '[]'])('--add-sandbox %s is no object', (text) => {
  expect(parseAddSandbox(text)).toMatchObject({
    problem: expect.stringContaining('must be an object') as unknown,
  });
});

it('is the sandbox of the policy, and has no effect without it, which is an error', () => {
  const flags = {
    addPolicy: 'sandbox',
    addSandbox: { network: true },
  } as Partial<ServeFlags> as ServeFlags;
  expect(serveOptions(flags).addPolicy).toEqual({ mode: 'sandbox', sandbox: { network: true } });
  expect(contradictionIn(flags)).toBeUndefined();
  expect(contradictionIn({ ...flags, addPolicy: 'ask' })).toBe('--add-sandbox needs --add-policy sandbox');
});
