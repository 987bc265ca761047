import { describe, expect, it } from 'vitest';

import { commandForQuestion, redactCommand } from './redact-command.js';

describe('the command of a server, as it is shown', () => {
  it('fault H3: has no value of its env, wherever that stands', () => {
    const config = { command: 'run', args: ['x-canary-1-y', 'b'], env: { ANY: 'canary-1' } };
    expect(redactCommand(config, {})).toEqual({
      command: 'run',
      args: ['x-[redacted]-y', 'b'],
      secrets: ['canary-1'],
    });
  });

  it('fault H3: has no secret of mcpmux itself, and keeps its ordinary variables', () => {
    const environment = { MY_TOKEN: 'canary-2', HOME: '/home/ann', PWD: '/home/ann' };
    const { args, secrets } = redactCommand(
      { command: 'run', args: ['canary-2', '/home/ann/x'] },
      environment,
    );
    expect(args).toEqual(['[redacted]', '/home/ann/x']);
    // What the server writes is searched for it too.
    expect(secrets).toEqual(['canary-2']);
  });

  it('E11: has its program, whatever is in env', () => {
    const config = { command: '/tmp/evil.sh', env: { TOKEN: '/tmp/evil.sh' } };
    expect(redactCommand(config, {}).command).toBe('/tmp/evil.sh');
    expect(commandForQuestion(config, {}).command).toBe('/tmp/evil.sh');
  });

  it('E11: in a question hides of env what is a secret by its name and nothing more by its looks', () => {
    const args = ['-c', 'touch x | cat', 'canary-3', '/tmp/run.sh', 'plain-text'];
    const env = { A_TOKEN: args[1] ?? '', MY_TOKEN: 'canary-3', KEY: '/tmp/run.sh', MODE: 'plain-text' };
    expect(commandForQuestion({ command: 'sh', args, env }, {}).args).toEqual([
      '-c',
      'touch x | cat',
      '[redacted]',
      '/tmp/run.sh',
      'plain-text',
    ]);
  });

  it('fault H3: in a question hides secrets in an object of JSON, and neither programs nor other text', () => {
    const env = {
      HEADERS: '{"Authorization":"Bearer canary-4","x":"plain"}',
      OPTIONS: '{ "db": { "password": "canary-5", "token": "/tmp/run.sh", "command": "sh -c x" } }',
      SHELL_TEXT: 'password=canary-6',
      BROKEN: '{"password":"canary-7"',
    };
    const { variables } = commandForQuestion({ command: 'run', env }, {});
    expect(variables).toEqual([
      'HEADERS={"Authorization":"Bearer [redacted]","x":"plain"}',
      'OPTIONS={ "db": { "password": "[redacted]", "token": "/tmp/run.sh", "command": "sh -c x" } }',
      'SHELL_TEXT=password=canary-6',
      'BROKEN={"password":"canary-7"',
    ]);
  });

  it('fault H3: tells what else was taken out, for what the server writes', () => {
    expect(redactCommand({ command: 'run', args: ['--token', 'abc'] }, {})).toEqual({
      command: 'run',
      args: ['--token', '[redacted]'],
      secrets: ['abc'],
    });
  });
});
