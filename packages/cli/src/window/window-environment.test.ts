import { clientEnvironments } from '@mcpmux/testing/client-environments';
import { describe, expect, it } from 'vitest';

import { sharedEnvironment } from './window-environment.js';

describe.each(clientEnvironments())('two windows of $client', ({ windows: [first, second] }) => {
  it('have one environment to share', () => {
    expect(sharedEnvironment(first)).toEqual(sharedEnvironment(second));
  });

  it('share no process if their GITHUB_TOKEN differs', () => {
    const other = { ...second, GITHUB_TOKEN: 'ghp_other' };
    expect(sharedEnvironment(first)).not.toEqual(sharedEnvironment(other));
  });

  it('give servers the token, and no variable in which the windows differ', () => {
    const shared = sharedEnvironment(first);
    expect(shared).toMatchObject({ GITHUB_TOKEN: 'ghp_invented', HOME: '/home/ann' });
    expect(Object.keys(shared).filter((name) => first[name] !== second[name])).toEqual([]);
  });
});

it.each([
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_API_BASE_URL',
  'CLAUDE_CODE_CLIENT_KEY_PASSPHRASE',
  'CLAUDE_CONFIG_DIR',
  'QWEN_API_KEY',
  'OPENCODE_CONFIG',
  'AWS_PROFILE',
])('%s, which a server could take for its own, keeps windows apart', (name) => {
  expect(sharedEnvironment({ [name]: 'x' })).toEqual({ [name]: 'x' });
});

describe('the config', () => {
  const environment = { CLAUDE_PROJECT_DIR: '/one', CLAUDE_CODE_SSE_PORT: '1', MY_PANE: '7', MY_SEAT: '8' };

  it('respects a variable of a client that it names', () => {
    const named = new Set(['CLAUDE_PROJECT_DIR']);
    expect(sharedEnvironment(environment, { usedVariables: named })).toEqual({
      CLAUDE_PROJECT_DIR: '/one',
      MY_PANE: '7',
      MY_SEAT: '8',
    });
  });

  it('names further variables to ignore or to respect, and a respected one wins', () => {
    const rules = { ignore: ['MY_*'], respect: ['MY_SEAT', 'CLAUDE_CODE_*'] };
    expect(sharedEnvironment(environment, rules)).toEqual({ CLAUDE_CODE_SSE_PORT: '1', MY_SEAT: '8' });
  });
});
