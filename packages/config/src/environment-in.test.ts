import { describe, expect, it } from 'vitest';

import { sharedEnvironmentIn } from './environment-in.js';

describe('the variables in which windows may differ', () => {
  it('are read from a config with comments and a byte order mark', () => {
    const text =
      '\uFEFF{ /* ours */ "mux": { "sharedEnvironment": { "ignore": ["MY_*"], "respect": ["A"] } } }';
    expect(sharedEnvironmentIn(text)).toEqual({ ignore: ['MY_*'], respect: ['A'] });
  });

  it.each([
    '',
    '[]',
    '{ "mux": [] }',
    '{ "mux": {} }',
    '{ "mux": { "sharedEnvironment": { "ignore": "MY_*" } } }',
    '{ "mux": { "sharedEnvironment": { "ignored": ["MY_*"] } } }',
    '{ "mux": { "sharedEnvironment": { "ignore": ["MY_*"] } }',
  ])('are absent in %j', (text) => {
    expect(sharedEnvironmentIn(text)).toBeUndefined();
  });

  it('count even if a server of the config has a fault', () => {
    const text = '{ "mcpServers": { "a": 1 }, "mux": { "sharedEnvironment": { "ignore": ["A"] } } }';
    expect(sharedEnvironmentIn(text)).toEqual({ ignore: ['A'] });
  });
});
