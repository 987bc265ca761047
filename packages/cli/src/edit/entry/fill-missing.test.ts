import { afterEach, beforeEach, expect, it } from 'vitest';

import { CommandError } from '../../terminal/command-error.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { fillMissingValues, type HiddenPromptAndKeyring } from './fill-missing.js';
import { configToWrite } from '../../config/config-choice.js';
import { TemporaryHome } from '../../commands/testing/temporary-home.js';

const FILE = '.config/mcpmux/config.json';
const ENTRY = {
  command: 'x',
  args: ['${workspaceFolder}', '--key', '${env:API_KEY}', '$${API_KEY}'],
  env: { TOKEN: 'Bearer ${TOKEN}', SET: '${HOME}', ID: '${input:client-id}', OLD: '${input:old}' },
};

let home: TemporaryHome;
beforeEach(() => {
  home = new TemporaryHome();
  home.write(FILE, { mcpServers: { a: ENTRY, b: { command: 'y', env: { OTHER: '${OTHER}' } } } });
});
afterEach(() => home[Symbol.dispose]());

class Person implements HiddenPromptAndKeyring {
  readonly questions: string[] = [];
  readonly saved = new Map([['input.old', 'kept']]);
  readonly keyring = {
    get: (name: string) => this.saved.get(name),
    set: (name: string, value: string) => void this.saved.set(name, value),
  };

  constructor(private readonly answers: readonly string[]) {}

  readonly promptHidden = (question: string): Promise<string> => {
    this.questions.push(question);
    const answer = this.answers[this.questions.length - 1];
    return answer === undefined
      ? Promise.reject(new CommandError('REFUSED', 'stopped'))
      : Promise.resolve(answer);
  };
}

function atTerminal(): CommandContext {
  const context = home.context({ yes: false });
  return { ...context, streams: { ...context.streams, isInteractive: true } };
}

async function filled(person: Person, context = atTerminal()): Promise<typeof ENTRY> {
  await fillMissingValues(context, { location: configToWrite(context, {}), names: ['a'] }, {}, person);
  return (JSON.parse(home.read(FILE)) as { mcpServers: { a: typeof ENTRY } }).mcpServers.a;
}

it('what is missing is asked for once, goes into the keyring, and the config refers to it', async () => {
  const person = new Person(['key-1', 'token-1', 'id-1']);
  const entry = await filled(person);
  expect(person.questions.map((question) => question.split(' ')[2])).toEqual([
    'API_KEY',
    'TOKEN',
    'client-id',
  ]);
  expect([...person.saved]).toEqual([
    ['input.old', 'kept'],
    ['API_KEY', 'key-1'],
    ['TOKEN', 'token-1'],
    ['input.client-id', 'id-1'],
  ]);
  expect(entry.args).toEqual(['${workspaceFolder}', '--key', '${secret:API_KEY}', '$${API_KEY}']);
  expect(entry.env).toEqual({ ...ENTRY.env, TOKEN: 'Bearer ${secret:TOKEN}' });
  expect(home.read(FILE) + home.err + home.out).not.toMatch(/key-1|token-1|id-1/);
});

it('an empty answer, and an end of the questions, leave placeholders as they are', async () => {
  expect(await filled(new Person(['', 'token-1']))).toEqual({
    ...ENTRY,
    env: { ...ENTRY.env, TOKEN: 'Bearer ${secret:TOKEN}' },
  });
});

it('without a keyring, the variable to set is told', async () => {
  const person = new Person(['k', 't', 'i']);
  const keyring = {
    get: () => undefined,
    set: () => {
      throw new Error('no keyring');
    },
  };
  const context = atTerminal();
  await fillMissingValues(
    context,
    { location: configToWrite(context, {}), names: ['a'] },
    {},
    { promptHidden: person.promptHidden, keyring },
  );
  expect(home.err).toContain('Set CLIENT_ID in the environment of mcpmux.');
  expect(home.read(FILE)).not.toContain('secret:');
});

it('nobody is asked without a terminal, and with --yes', async () => {
  const person = new Person([]);
  expect(await filled(person, home.context({ yes: false }))).toEqual(ENTRY);
  expect(await filled(person, { ...atTerminal(), flags: { yes: true } })).toEqual(ENTRY);
  expect(person.questions).toEqual([]);
});
