import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { INSTANCE_TOOLS } from './instance-definitions.js';
import { INPUT_SCHEMAS, parseInput } from './input-schemas.js';
import { isOwnToolName, OWN_TOOLS, OWN_TOOLS_WITH_STORE } from './tool-definitions.js';

interface Definition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
  readonly outputSchema?: { readonly type: string };
}

const DEFINITIONS = [...OWN_TOOLS_WITH_STORE, ...INSTANCE_TOOLS].map(({ json }): Definition =>
  JSON.parse(json),
);

/** Texts; that property names are strings; that there may be any others. */
function isSelfEvident(key: string, value: unknown): boolean {
  if (key === 'description' || key === '$schema' || key === 'propertyNames') return true;
  return key === 'additionalProperties' && JSON.stringify(value) === '{}';
}

/** The schema without what is only for readers: texts and the dialect. */
function withoutTexts(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutTexts);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => !isSelfEvident(key, value));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutTexts(value)]));
}

describe('the management tools', () => {
  it('M6: are these, in this order, without the separator in their names', () => {
    expect(OWN_TOOLS.map(({ name }) => name)).toEqual([
      'add_server',
      'remove_server',
      'reload_server',
      'list_servers',
      'call_tool',
      'search_tools',
      'server_logs',
    ]);
    expect(INSTANCE_TOOLS.map(({ name }) => name)).toEqual([
      'list_instances',
      'connect_instance',
      'disconnect_instance',
    ]);
    expect(OWN_TOOLS_WITH_STORE.map(({ name }) => name)).toEqual(OWN_TOOLS.map(({ name }) => name));
    expect(DEFINITIONS.filter(({ name }) => name.includes('__'))).toEqual([]);
  });

  it.each([...OWN_TOOLS, ...INSTANCE_TOOLS].map(({ name }) => name))(
    '%s shows clients the schema that its arguments are checked by',
    (name) => {
      const shown = DEFINITIONS.find((definition) => definition.name === name)?.inputSchema;
      const checked = z.toJSONSchema(INPUT_SCHEMAS[name], { target: 'draft-2020-12', io: 'input' });
      expect(withoutTexts(shown)).toEqual(withoutTexts(checked));
    },
  );

  it('are the same but for persist, which add_server shows only where servers can be kept', () => {
    const [add, ...others] = OWN_TOOLS;
    const [keepingAdd, ...keepingOthers] = OWN_TOOLS_WITH_STORE;
    expect(keepingOthers).toEqual(others);
    expect([add, keepingAdd].map((tool) => tool?.json.includes('"persist"'))).toEqual([false, true]);
  });

  it('all have a description below 300 characters and an object as output', () => {
    expect(DEFINITIONS.filter(({ description }) => description.length > 300)).toEqual([]);
    // The result of call_tool is that of another tool.
    const own = DEFINITIONS.filter(({ name }) => name !== 'call_tool');
    expect(own.map(({ outputSchema }) => outputSchema?.type)).toEqual(own.map(() => 'object'));
  });

  it('are known by their names, and nothing else is', () => {
    expect([...OWN_TOOLS, ...INSTANCE_TOOLS].every(({ name }) => isOwnToolName(name))).toBe(true);
    expect(['', 'constructor', 'echo', 'add_server__x'].filter((name) => isOwnToolName(name))).toEqual([]);
  });
});

describe('invalid arguments', () => {
  it.each([
    [{}, 'name'],
    [{ name: 'x', command: '' }, 'command'],
    [{ name: 'x', command: 'node', args: 'a b' }, 'args'],
    [{ name: 'x', command: 'node', args: [1] }, 'args.0'],
    [{ name: 'x', command: 'node', env: { A: 1 } }, 'env.A'],
    [{ name: 'x', command: 'node', cwd: 3 }, 'cwd'],
    [{ name: 'x', command: 'node', arg: [] }, 'arguments'],
    [{ name: 'x', command: 'node', inheritEnv: 'some' }, 'inheritEnv'],
    [{ name: 'x', command: 'node', startTimeoutMs: 0 }, 'startTimeoutMs'],
    [{ name: 'x', command: 'node', startTimeoutMs: 3_600_001 }, 'startTimeoutMs'],
    [{ name: 'x', command: 'node', restart: 'sometimes' }, 'restart'],
    [{ name: 'x', command: 'node', callTimeoutMs: 1.5 }, 'callTimeoutMs'],
    ['text', 'arguments'],
  ])('%j: the problem names %s', (args, field) => {
    const parsed = parseInput('add_server', INPUT_SCHEMAS.add_server, args);
    expect(parsed).toMatchObject({ problem: expect.stringContaining(`${field}: `) as string });
  });

  it('are none at all where a tool takes none', () => {
    expect(parseInput('list_servers', INPUT_SCHEMAS.list_servers, undefined)).toEqual({ input: {} });
  });
});
