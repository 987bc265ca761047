import { expect, it } from 'vitest';

import { FakeRegistry } from '../testing/fake-registry.js';
import { sourcesOf, type Given, type ServerSource } from './server-source.js';

async function sources(name: string): Promise<readonly ServerSource[]> {
  const server = await new FakeRegistry().client.find(name);
  return server === undefined ? [] : sourcesOf(server);
}

function entryOf(source: ServerSource | undefined, given: Given): unknown {
  return source?.kind === 'unusable' ? source.problem : source?.entry(given);
}

it('an npm package runs with its version, its arguments and its variables', async () => {
  const [source] = await sources('io.github.example/mcp-server-files');
  const values: Readonly<Record<string, string>> = {
    FOLDER: '/notes',
    FILES_TOKEN: '${secret:t}',
    MODE: 'write',
  };
  expect(entryOf(source, ({ id, fallback }) => values[id] ?? fallback)).toEqual({
    command: 'npx',
    args: ['-y', '@example/files@1.2.0', '--mode', 'write', '/notes'],
    env: { FILES_TOKEN: '${secret:t}', FILES_LOG: 'info' },
  });
});

it('the inputs of a package say what is required and what is secret', async () => {
  const [source] = await sources('io.github.example/mcp-server-files');
  expect(source?.kind === 'package' && source.inputs).toEqual([
    { id: 'FILES_TOKEN', description: 'A token', isRequired: true, isSecret: true, fallback: undefined },
    { id: 'FILES_LOG', description: 'The log level', isRequired: false, isSecret: false, fallback: 'info' },
    { id: 'FILES_EXTRA', description: '', isRequired: false, isSecret: false, fallback: undefined },
    { id: 'MODE', description: '', isRequired: false, isSecret: false, fallback: 'read' },
    {
      id: 'FOLDER',
      description: 'The folder',
      isRequired: true,
      isSecret: false,
      fallback: undefined,
      format: 'filepath',
    },
  ]);
});

it('a container gets its variables by name, and its own arguments before its image', async () => {
  const [source] = await sources('com.example/boxed-files');
  expect(entryOf(source, ({ id }) => `\${${id}}`)).toEqual({
    command: 'docker',
    args: ['run', '-i', '--rm', '-e', 'FILES_TOKEN', '--network', 'none', 'ghcr.io/example/files:3.0.0'],
    env: { FILES_TOKEN: '${FILES_TOKEN}' },
  });
});

it('a remote is an entry with its url and headers, with variables in both', async () => {
  const [source] = await sources('com.example/remote-files');
  expect(entryOf(source, ({ id }) => `\${${id}}`)).toEqual({
    type: 'http',
    url: 'https://${TENANT}.example.com/mcp',
    headers: { Authorization: 'Bearer ${FILES_KEY}' },
  });
});

it('packages and remotes of unknown types, and hostile identifiers, are not run', async () => {
  const problems = async (name: string): Promise<readonly unknown[]> =>
    (await sources(name)).flatMap((source) => (source.kind === 'unusable' ? [source.problem] : []));
  expect(await problems('com.example/odd-files')).toEqual([
    'packages of the type mcpb are not supported',
    'packages of the type floppy are not supported',
    'its identifier is not plain text',
    'it speaks sse, not stdio',
  ]);
  expect(await problems('com.example/remote-files')).toEqual(['it is reached by carrier-pigeon']);
});
