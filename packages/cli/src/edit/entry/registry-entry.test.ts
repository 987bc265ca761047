import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { FakeRegistry } from '../../testing/fake-registry.js';
import { processContext, type CommandContext } from '../../terminal/command-context.js';
import { createRegistryEntry, type Prompts } from './registry-entry.js';

let server: Server;
let registry: string;

beforeAll(async () => {
  const fake = new FakeRegistry();
  server = createServer((request, response) => {
    void fake.answer(new URL(request.url ?? '', 'http://registry')).then(async (answer) => {
      response.writeHead(answer.status).end(await answer.text());
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server.close());

interface PrintingContext {
  readonly context: CommandContext;
  readonly printed: string[];
}

function contextOf(home: string, isInteractive: boolean): PrintingContext {
  const printed: string[] = [];
  const context = processContext({});
  const streams = { ...context.streams, isInteractive, err: (text: string) => void printed.push(text) };
  return { printed, context: { ...context, home, environment: { XDG_STATE_HOME: home }, streams } };
}

/** Answers questions that begin with a word. */
function person(
  answers: Readonly<Record<string, string>>,
  secrets: Map<string, string> | undefined,
): Prompts {
  const answer = (question: string): Promise<string> =>
    Promise.resolve(answers[/^\w+/.exec(question)?.[0] ?? ''] ?? '');
  const set = (name: string, value: string): void => {
    if (secrets === undefined) throw new Error('no keyring');
    secrets.set(name, value);
  };
  return { promptText: answer, promptHidden: answer, keyring: { set } };
}

const NAME = 'registry:io.github.example/mcp-server-files';

it('what a server needs is asked for, and its secrets go into the keyring', async () => {
  await using home = await temporaryFolder();
  const secrets = new Map<string, string>();
  const asking = person({ FILES_TOKEN: 'hunter2hunter2', FOLDER: '/notes' }, secrets);
  const { context, printed } = contextOf(home.path, true);
  expect(await createRegistryEntry(context, [NAME], { registry }, asking)).toEqual({
    name: 'files',
    entry: {
      command: 'npx',
      args: ['-y', '@example/files@1.2.0', '--mode', 'read', '/notes'],
      env: { FILES_TOKEN: '${secret:files.FILES_TOKEN}', FILES_LOG: 'info' },
    },
  });
  expect([...secrets]).toEqual([['files.FILES_TOKEN', 'hunter2hunter2']]);
  expect(printed.join('')).not.toContain('hunter2');
});

it('without a terminal the entry refers to variables, and -e gives values', async () => {
  await using home = await temporaryFolder();
  const { context } = contextOf(home.path, false);
  const flags = { registry, env: ['FOLDER=/notes'] };
  expect(await createRegistryEntry(context, ['mine', NAME], flags)).toMatchObject({
    name: 'mine',
    entry: {
      args: ['-y', '@example/files@1.2.0', '--mode', 'read', '/notes'],
      env: { FILES_TOKEN: '${FILES_TOKEN}' },
    },
  });
});

it('without a keyring the entry refers to the environment', async () => {
  await using home = await temporaryFolder();
  const { context, printed } = contextOf(home.path, true);
  const asking = person({ FILES_TOKEN: 'hunter2hunter2', FOLDER: '/n' }, undefined);
  const { entry } = await createRegistryEntry(context, [NAME], { registry }, asking);
  expect(entry).toMatchObject({ env: { FILES_TOKEN: '${FILES_TOKEN}' } });
  expect(printed.join('')).toContain('Set FILES_TOKEN in the environment');
});

it('a deprecated server is added with the reason told, a deleted one and one that cannot run are refused', async () => {
  await using home = await temporaryFolder();
  const { context, printed } = contextOf(home.path, false);
  const add = (name: string) => createRegistryEntry(context, [`registry:com.example/${name}`], { registry });
  expect(await add('old-files')).toMatchObject({ entry: { command: 'uvx', args: ['old-files==0.9.0'] } });
  expect(printed.join('')).toContain('deprecated: use io.github.example/mcp-server-files');
  await expect(add('gone-files')).rejects.toThrow(
    'the registry has deleted "com.example/gone-files": was malware.',
  );
  await expect(add('odd-files')).rejects.toMatchObject({ failure: { code: 'INVALID_SERVER' } });
  await expect(add('none')).rejects.toMatchObject({ failure: { code: 'SERVER_NOT_FOUND' } });
});

it('-t http chooses a url before a package', async () => {
  await using home = await temporaryFolder();
  const { context } = contextOf(home.path, false);
  const flags = { registry, transport: 'http' } as const;
  const { entry } = await createRegistryEntry(context, ['registry:com.example/remote-files'], flags);
  expect(entry).toMatchObject({ type: 'http', url: 'https://${TENANT}.example.com/mcp' });
  await expect(createRegistryEntry(context, [NAME], flags)).rejects.toMatchObject({
    failure: { code: 'INVALID_SERVER' },
  });
});

it('a name that is taken is refused before anybody is asked, and a rehearsal stores no secret', async () => {
  await using home = await temporaryFolder();
  const secrets = new Map<string, string>();
  const asking = person({ FILES_TOKEN: 'hunter2hunter2', FOLDER: '/n' }, secrets);
  const { context } = contextOf(home.path, true);
  const checkName = (name: string): void => {
    throw new Error(`${name} is taken`);
  };
  const refused = createRegistryEntry(context, [NAME], { registry }, { ...asking, checkName });
  await expect(refused).rejects.toThrow('files is taken');
  const tried = await createRegistryEntry(context, [NAME], { registry, dryRun: true }, asking);
  expect(tried.entry).toMatchObject({ env: { FILES_TOKEN: '${secret:files.FILES_TOKEN}' } });
  expect(secrets.size).toBe(0);
});

it('all that a stranger’s entry runs and sends is shown before it is written', async () => {
  await using home = await temporaryFolder();
  const { context, printed } = contextOf(home.path, false);
  await createRegistryEntry(context, [NAME], { registry, env: ['FILES_TOKEN=hunter2hunter2'] });
  expect(printed.join('')).toContain(
    'Runs npx -y @example/files@1.2.0 --mode <MODE> <FOLDER>, with the variables FILES_TOKEN=<FILES_TOKEN>',
  );
  expect(printed.join('')).not.toContain('hunter2');
});

it('an entry that asks for more than its package is accepted by a person alone', async () => {
  await using home = await temporaryFolder();
  const risky = 'registry:io.github.example/risky';
  const refused = 'asks for more than its package';
  const piped = contextOf(home.path, false).context;
  await expect(createRegistryEntry(piped, [risky], { registry })).rejects.toThrow(refused);
  const { context, printed } = contextOf(home.path, true);
  const declining = person({}, new Map());
  await expect(createRegistryEntry(context, [risky], { registry }, declining)).rejects.toThrow(refused);
  expect(printed.join('')).toContain(
    'Careful: the option --privileged of docker changes what runs, or its rights.',
  );
  const accepted = await createRegistryEntry(
    context,
    [risky],
    { registry },
    person({ accept: 'yes' }, new Map()),
  );
  expect(accepted.entry).toMatchObject({ command: 'docker', args: expect.arrayContaining(['--privileged']) });
});
