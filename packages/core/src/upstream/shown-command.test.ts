import { describe, expect, it } from 'vitest';

import { shownCommand } from './shown-command.js';

describe('the command of a server, as it is shown', () => {
  it('H3: has no value of its env, wherever that stands', () => {
    const config = { command: 'run', args: ['x-canary-1-y', 'b'], env: { ANY: 'canary-1' } };
    expect(shownCommand(config, {})).toEqual({ command: 'run', args: ['x-[redacted]-y', 'b'], secrets: [] });
  });

  it('H3: has no secret of mcpmux itself, and keeps its ordinary variables', () => {
    const environment = { MY_TOKEN: 'canary-2', HOME: '/home/ann', PWD: '/home/ann' };
    const { args } = shownCommand({ command: 'run', args: ['canary-2', '/home/ann/x'] }, environment);
    expect(args).toEqual(['[redacted]', '/home/ann/x']);
  });

  it('H3: tells what else was taken out, for what the server writes', () => {
    expect(shownCommand({ command: 'run', args: ['--token', 'abc'] }, {})).toEqual({
      command: 'run',
      args: ['--token', '[redacted]'],
      secrets: ['abc'],
    });
  });
});
