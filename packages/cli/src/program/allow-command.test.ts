import { describe, expect, it } from 'vitest';

import { parseAllowedCommand } from './allow-command.js';

describe('readAllowedCommand', () => {
  it.each([
    ['npx', { command: 'npx', args: [], moreArgs: false, env: [] }],
    ['  npx  -y pkg ', { command: 'npx', args: ['-y', 'pkg'], moreArgs: false, env: [] }],
    ['npx -y pkg ...', { command: 'npx', args: ['-y', 'pkg'], moreArgs: true, env: [] }],
    ['A= B_2= npx X=', { command: 'npx', args: ['X='], moreArgs: false, env: ['A', 'B_2'] }],
    [
      '{"command":"a b","args":["c d"],"env":["A"],"cwd":"/x"}',
      { command: 'a b', args: ['c d'], env: ['A'], cwd: '/x' },
    ],
  ])('E11: reads %j', (text, command) => {
    expect(parseAllowedCommand(text)).toEqual(command);
  });

  it.each([
    ['', 'must name a program'],
    ['TOKEN=', 'must name a program'],
    ['...', 'must name a program'],
    ['npx "a b"', 'JSON object'],
    ['{"command":"a"', 'It must be {'],
    ['{"args":["a"]}', 'It must be {'],
    ['{"command":"a","arg":["a"]}', 'It must be {'],
    ['{"command":"a","args":"a"}', 'It must be {'],
  ])('E11: refuses %j', (text, problem) => {
    expect(parseAllowedCommand(text)).toEqual({ problem: expect.stringContaining(problem) as string });
  });
});
