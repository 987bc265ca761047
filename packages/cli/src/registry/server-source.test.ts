import { literalText } from '@mcpmux/config';
import { expect, it } from 'vitest';

import { FakeRegistry } from '../testing/fake-registry.js';
import { sourcesOf, type InputValueSource, type ServerSource } from './server-source.js';

async function sources(name: string): Promise<readonly ServerSource[]> {
  const server = await new FakeRegistry().client.find(name);
  return server === undefined ? [] : sourcesOf(server);
}

function entryOf(source: ServerSource | undefined, given: InputValueSource): unknown {
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
    `mcpmux does not download bundles. Download it, check that its SHA-256 is ${'ab'.repeat(32)}, then: mcpmux add FILE.mcpb`,
    'packages of the type floppy are not supported',
    'its identifier is not plain text',
    'it speaks sse, not stdio',
  ]);
  expect(await problems('com.example/remote-files')).toEqual(['it is reached by carrier-pigeon']);
});

const SHAPES = 'com.example/all-shapes';

/** The entries of the usable sources, with the values of inputs; a fallback where a value is absent. */
async function shapes(values: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, unknown>> {
  const given: InputValueSource = ({ id, fallback }) => values[id] ?? fallback;
  return new Map((await sources(SHAPES)).map((source) => [source.label, entryOf(source, given)]));
}

it('each kind of argument and variable stands at its place, and those without a value are left out', async () => {
  const entries = await shapes({
    SHAPES_TOKEN: '${secret:t}',
    HOST: 'h',
    ALSO: 'a\nb',
    TARGET_DIR: '/a\n/b',
  });
  expect(entries.get('npm @example/shapes')).toEqual({
    command: 'npx',
    args: [
      '-y',
      '--loglevel',
      'error',
      '@example/shapes@4.0.0',
      'serve',
      '--level',
      'low',
      '--also',
      'a',
      '--also',
      'b',
      '/a',
      '/b',
    ],
    env: {
      SHAPES_TOKEN: '${secret:t}',
      SHAPES_MODE: 'slow',
      SHAPES_KIND: 'round',
      SHAPES_URL: 'https://h:443/{unknown}',
    },
  });
});

it('a value of the registry is fixed: the inputs are those that a person may give', async () => {
  const [npm] = await sources(SHAPES);
  const inputs = npm?.kind === 'package' ? npm.inputs : [];
  expect(inputs.map(({ id }) => id)).toEqual([
    'SHAPES_TOKEN',
    'SHAPES_MODE',
    'HOST',
    'PROXY',
    'LEVEL',
    'DEPTH',
    'STRICT',
    'ALSO',
    'TARGET_DIR',
  ]);
  expect(inputs.find(({ id }) => id === 'LEVEL')).toMatchObject({
    choices: ['low', 'high'],
    fallback: 'low',
  });
  expect(inputs.find(({ id }) => id === 'STRICT')).toMatchObject({ format: 'boolean', isRequired: false });
  expect(inputs.find(({ id }) => id === 'ALSO')).not.toHaveProperty('format');
});

it('each type of package has its command, and its arguments reach the server', async () => {
  const entries = await shapes({ SOURCE_PATH: '/notes' });
  expect(entries.get('pypi shapes')).toEqual({ command: 'uvx', args: ['shapes==4.0.0'] });
  expect(entries.get('nuget Example.Shapes')).toEqual({
    command: 'dnx',
    args: ['--yes', 'Example.Shapes@4.0.0-beta', '--', 'mcp', 'start'],
  });
  expect(entries.get('oci docker.io/example/shapes:4.0.0')).toEqual({
    command: 'docker',
    args: [
      'run',
      '-i',
      '--rm',
      '--mount',
      'type=bind,src=/notes,dst=/project',
      'docker.io/example/shapes:4.0.0',
      '/project',
    ],
  });
});

it('a package that its command would not run as described is refused with the reason', async () => {
  const unusable = (await sources(SHAPES)).flatMap((one) => (one.kind === 'unusable' ? [one] : []));
  expect(unusable.map(({ label, problem }) => `${label}: ${problem}`)).toEqual([
    'npm shapes: it is in the package registry https://npm.example.com',
    'pypi shapes-module: its runtime arguments are for python, not for uvx',
    'npm shapes-hashed: npx does not check its file against its SHA-256',
    'npm shapes-http: it speaks streamable-http, not stdio',
    `mcpb https://github.com/example/shapes/releases/download/v4.0.0/shapes.mcpb: mcpmux does not download bundles. Download it, check that its SHA-256 is ${'ef'.repeat(32)}, then: mcpmux add FILE.mcpb`,
    'cargo shapes: packages of the type cargo are not supported',
  ]);
});

it('a remote has its headers, an optional one only with its variables; a variable may begin its address', async () => {
  const without = await shapes({ X_SHAPES_KEY: '${secret:k}', BASE_URL: 'https://s.example' });
  expect(without.get('streamable-http https://{region}.example.com/mcp')).toEqual({
    type: 'http',
    url: 'https://eu.example.com/mcp',
    headers: { 'X-Shapes-Key': '${secret:k}', 'X-Shapes-Kind': 'round' },
  });
  expect(without.get('sse {base_url}/sse')).toEqual({ type: 'sse', url: 'https://s.example/sse' });
  const withToken = await shapes({ X_SHAPES_KEY: 'k', TOKEN: '${secret:t}' });
  expect(withToken.get('streamable-http https://{region}.example.com/mcp')).toMatchObject({
    headers: { Authorization: 'Bearer ${secret:t}' },
  });
});

it.each([
  ['https://ghcr.io', 'owner/image', 'ghcr.io/owner/image:1'],
  ['https://ghcr.io', 'ghcr.io/owner/image', 'ghcr.io/owner/image:1'],
  ['https://docker.io', 'owner/image:2', 'owner/image:2'],
])('an image of %s named %s is %s', (registryBaseUrl, identifier, image) => {
  const pack = { registryType: 'oci', registryBaseUrl, identifier, version: '1' };
  const server = {
    name: 'a/b',
    description: '',
    version: '1',
    status: 'active',
    packages: [pack],
    remotes: [],
  };
  const [source] = sourcesOf(server);
  expect(entryOf(source, () => undefined)).toEqual({ command: 'docker', args: ['run', '-i', '--rm', image] });
});

const STRANGER = ['${file:/home/ann/.ssh/id_rsa}', '${HOME}', '${secret:github.TOKEN}', '$HOME', '$${HOME}'];

function remoteOf(remote: object): ServerSource | undefined {
  const texts = { name: 'a/b', description: '', version: '1', status: 'active' };
  return sourcesOf({
    ...texts,
    packages: [],
    remotes: [{ type: 'streamable-http', url: 'https://a.example', ...remote }],
  })[0];
}

it.each(STRANGER)('a text of the registry refers to no file, variable or secret of the user: %s', (text) => {
  const source = remoteOf({
    url: `https://a.example/mcp?e=${text}`,
    headers: [
      { name: 'x-value', value: text },
      { name: 'x-default', default: text },
      { name: 'x-choice', choices: [text] },
      { name: 'x-fixed', value: '{A}', variables: { A: { value: text } } },
    ],
  });
  const literal = literalText(text);
  expect(entryOf(source, ({ fallback, choices }) => fallback ?? choices?.[0])).toMatchObject({
    url: literalText(`https://a.example/mcp?e=${text}`),
    headers: { 'x-value': literal, 'x-default': literal, 'x-choice': literal, 'x-fixed': literal },
  });
});

it('texts of the registry refer to nothing when they are put together, and a value that was given may', () => {
  const source = remoteOf({
    url: 'https://a.example/${file:/home/{USER}',
    variables: { USER: { isRequired: true } },
    headers: [
      { name: 'x-joined', value: '{D}{F}', variables: { D: { value: '$' }, F: { value: '{HOME}' } } },
      { name: 'x-given', value: 'Bearer {T}', variables: { T: {} } },
    ],
  });
  const given: Readonly<Record<string, string>> = { USER: '${NAME}}', T: '${secret:t}' };
  expect(entryOf(source, ({ id }) => given[id])).toMatchObject({
    url: 'https://a.example/$${file:/home/${NAME}}',
    headers: { 'x-joined': '$${HOME}', 'x-given': 'Bearer ${secret:t}' },
  });
});
