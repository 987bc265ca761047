import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';

import { commandWords } from './command-lines.js';
import type { ConfigOrigin } from './find-config.js';
import { loadConfig } from './load-config.js';
import type { LoadedServer } from './loaded-config.js';

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'"'"'`)}'`;
}

it('quoted words are read as they were, whatever they hold', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (words) => {
      expect(commandWords(words.map(quoted).join('  '))).toEqual(words);
    }),
    propertyRuns(200),
  );
});

it.each([
  ['op read op://v/i', ['op', 'read', 'op://v/i']],
  [` a\tb `, ['a', 'b']],
  [String.raw`a\ b "c \"d\" \e" C:\x\y`, ['a b', String.raw`c "d" \e`, String.raw`C:\x\y`]],
  [`a"b 'c"'' d`, [`ab 'c`, 'd']],
  ['', []],
  ['a "b', undefined],
  [`a 'b`, undefined],
])('the words of %j are %j', (line, words) => {
  expect(commandWords(line)).toEqual(words);
});

function load(
  entry: object,
  origin: ConfigOrigin = 'user',
  isForeign = false,
  envFile = '',
): LoadedServer | undefined {
  const text = JSON.stringify({ mcpServers: { s: entry } });
  const context = { environment: {}, home: '/h', cwd: '/c', isForeign };
  return loadConfig({ file: '/f', origin, folder: '/c' }, context, (file) => (file === '/f' ? text : envFile))
    .servers[0];
}

function problemOf(...given: Parameters<typeof load>): string {
  const server = load(...given);
  return server?.status === 'misconfigured' ? server.problem : '';
}

describe('${cmd:...}', () => {
  it('stays in the values of a server, beside the words of its commands', () => {
    const env = { A: 'x ${cmd:op read a}', B: '${cmd:op read a}' };
    expect(load({ command: 'c', args: ['${cmd:b}'], env })).toMatchObject({
      config: {
        args: ['${cmd:b}'],
        env,
        commands: { '${cmd:op read a}': ['op', 'read', 'a'], '${cmd:b}': ['b'] },
      },
    });
    const far = { url: 'https://h/?k=${cmd:a}', headers: { Authorization: 'Bearer ${cmd:b}' } };
    expect(load(far)).toMatchObject({
      config: { ...far, commands: { '${cmd:a}': ['a'], '${cmd:b}': ['b'] } },
    });
    expect(load({ command: 'c' })).not.toHaveProperty('config.commands');
  });

  it('is refused beside its own text as a value, which the output would replace, too', () => {
    const env = { A: '${cmd:a}', B: '$${cmd:a}' };
    expect(problemOf({ command: 'c', env })).toContain('write one more space into the ${cmd:...}');
    expect(load({ command: 'c', env: { ...env, A: '${cmd: a}' } })).toMatchObject({
      config: { env: { A: '${cmd: a}', B: '${cmd:a}' }, commands: { '${cmd: a}': ['a'] } },
    });
    const twice = { A: '${cmd:a}${cmd:a}', B: '${cmd:a}' };
    expect(load({ command: 'c', env: twice })).toMatchObject({ status: 'ready' });
    expect(
      problemOf({ command: 'c', envFile: '.env', env: { A: '${cmd:a}' } }, 'user', false, 'B=${cmd:a}'),
    ).toContain('write one more space');
  });

  it('is refused where a value decides what runs, and without a command that can be read', () => {
    for (const entry of [{ command: '${cmd:a}' }, { command: 'c', cwd: '${cmd:a}' }])
      expect(problemOf(entry)).toContain('only for values in env, headers, args and url');
    expect(problemOf({ command: 'c', env: { A: '${cmd:a ${B}}' } })).toContain('has a placeholder');
    expect(problemOf({ command: 'c', env: { A: '${cmd: }' } })).toContain('has no command');
    expect(problemOf({ command: 'c', env: { A: '${cmd:a "b}' } })).toContain('is not closed');
  });

  it('is refused in configs and entries of others, and is no placeholder in a value that another gives', () => {
    const entry = { command: 'c', env: { A: '${cmd:a}' } };
    expect(problemOf(entry, 'project')).toContain('name this file with --config');
    expect(problemOf(entry, 'user', true)).toContain('an entry of the cluster');
    expect(problemOf({ ...entry, mux: { addedByAgent: true } })).toContain('an agent has added');
    expect(load(entry, 'flag')).toMatchObject({ status: 'ready' });
    expect(load({ command: 'c', env: { A: '$${cmd:a}' } })).not.toHaveProperty('config.commands');
  });
});
