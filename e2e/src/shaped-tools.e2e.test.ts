import { recordingFile } from '@mcpmux/testing/recordings';
import { expect, it } from 'vitest';

import { CLI, NODE } from './testing/built-cli.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';

const TOOLS = {
  'get-structured-content': {
    arguments: { location: { value: 'Chicago' } },
    result: 'structuredContent',
  },
  'get-sum': { arguments: { b: { default: 3 } } },
};
const SERVER = {
  command: NODE,
  args: [CLI, 'replay', recordingFile('everything')],
  mux: { tools: TOOLS },
};

interface Tool {
  readonly name: string;
  readonly inputSchema: { readonly properties: object; readonly required?: readonly string[] };
}

it('an agent calls tools with the arguments of the config, which it cannot change, and reads results once', async () => {
  await using person = await Person.arrive();
  await person.configure({ mcpServers: { all: SERVER } });
  await using mcpmux = new RawCli({ args: ['serve', '--config', person.config], env: person.environment });
  await mcpmux.initialize();
  const { result } = await mcpmux.request('tools/list');
  const tools = result?.['tools'] as readonly Tool[];
  const schemaOf = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema;
  expect(schemaOf('all__get-structured-content')).toMatchObject({ properties: {} });
  expect(JSON.stringify(schemaOf('all__get-structured-content'))).not.toContain('location');
  expect(schemaOf('all__get-sum')).toMatchObject({ properties: { b: { default: 3 } }, required: ['a'] });
  const weather = await mcpmux.call('all__get-structured-content', { location: 'New York' });
  expect(weather.result).toEqual({
    content: [],
    structuredContent: { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 },
  });
  expect((await mcpmux.call('all__get-sum', { a: 2 })).result).toMatchObject({
    content: [{ text: 'The sum of 2 and 3 is 5.' }],
  });
});

it('a person calls such a tool at a terminal without the fixed argument, and is told of a wrong setting', async () => {
  await using person = await Person.arrive();
  await person.configure({ mcpServers: { all: SERVER } });
  const called = await person.mcpmux('call', 'all.get-structured-content', '--json');
  expect(JSON.parse(called.stdout)).toMatchObject({ content: [], structuredContent: { temperature: 36 } });
  expect((await person.mcpmux('call', 'all.get-sum', 'a=2')).stdout).toBe('The sum of 2 and 3 is 5.\n');
  const { stdout } = await person.mcpmux('types', 'all');
  expect(stdout).toContain('"get-structured-content"(args?: Record<string, unknown>): Promise<{');
  expect(stdout).toMatch(
    /"get-sum"\(args: \{ [^}]*\ba: number; [^}]*\bb\?: number \}\): Promise<ToolResult>;/,
  );
  const wrong = { 'get-sum': { arguments: { b: { value: 1, hidden: true } } } };
  await person.configure({ mcpServers: { all: { ...SERVER, mux: { tools: wrong } } } });
  const checked = await person.mcpmux('config', 'validate');
  expect(checked.code).toBe(2);
  expect(checked.stdout + checked.stderr).toContain('expected one of "value", "default" and "hidden": true');
});
