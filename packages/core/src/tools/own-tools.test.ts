import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { DEFAULT_LIMITS } from '@mcpmux/kit';
import { z as mini } from '@mcpmux/kit/zod';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import type { OwnTool } from '../catalog/own-tool.js';
import { ServerJournal } from './journal/server-journal.js';
import { ALLOW_ALL } from './policy/add-policy.js';
import { addServerTool } from './add-server.js';
import { listServersTool } from './list-servers.js';
import { WHOLE_HOST } from '../testing/own-tools-rig.js';
import { checkInput, OwnTools, createOwnTools } from './own-tools.js';

interface Definition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
  readonly outputSchema?: { readonly type: string };
}

function ofMux(host: Partial<typeof WHOLE_HOST> = {}): OwnTools {
  const clock = new ManualClock();
  return new OwnTools({
    ...host,
    clock,
    limits: DEFAULT_LIMITS,
    journal: new ServerJournal(clock),
    environment: {},
    addPolicy: ALLOW_ALL,
    audit: () => undefined,
  });
}

const WITHOUT_STORE = ofMux().listedTools;
const WITH_STORE = ofMux({ store: WHOLE_HOST.store }).listedTools;
const ALL = ofMux(WHOLE_HOST);
const DEFINITIONS = ALL.listedTools.map(({ json }): Definition => JSON.parse(json));

/** Strings; that property names are strings; that there may be any others. */
function isSelfEvident(key: string, value: unknown): boolean {
  if (key === 'description' || key === '$schema' || key === 'propertyNames') return true;
  return key === 'additionalProperties' && JSON.stringify(value) === '{}';
}

/** The schema without what is only for readers: text and the dialect. */
function withoutTexts(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutTexts);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => !isSelfEvident(key, value));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutTexts(value)]));
}

/** The definitions of these tools are pinned by clients, so a change to their bytes asks each user for approval. */
const RELEASED = {
  servers: [
    'add_server',
    'remove_server',
    'reload_server',
    'list_servers',
    'call_tool',
    'search_tools',
    'server_logs',
  ],
  instances: ['list_instances', 'connect_instance', 'disconnect_instance'],
};
const ALL_RELEASED = [...RELEASED.servers, ...RELEASED.instances];

function released(tools: readonly OwnTool[]): readonly OwnTool[] {
  return tools.filter(({ name }) => ALL_RELEASED.includes(name));
}

describe('the management tools', () => {
  it('M6: keep their order, and have no separator in their names', () => {
    const names = (tools: readonly OwnTool[]): readonly string[] => released(tools).map(({ name }) => name);
    expect(names(WITHOUT_STORE)).toEqual(RELEASED.servers);
    expect(names(WITH_STORE)).toEqual(RELEASED.servers);
    expect(names(ALL.listedTools)).toEqual(ALL_RELEASED);
    expect(DEFINITIONS.filter(({ name }) => name.includes('__'))).toEqual([]);
  });

  it('do not list the tools that guards answer', () => {
    const listed = new Set(ALL.listedTools.map(({ name }) => name));
    expect(ALL.guardedTools.filter(({ name }) => listed.has(name))).toEqual([]);
  });

  it('have the bytes of the last release', () => {
    const bytes = [WITHOUT_STORE, ALL.listedTools].flatMap(released).map(({ json }) => json);
    expect(createHash('sha256').update(bytes.join('\n')).digest('hex')).toBe(
      'cdf73a32f365fd9bf630d9ae12ea7ea57d58e596ea8a11be9e903b318df98aea',
    );
  });

  it('say of windows only where the clients are windows', () => {
    const forWindows = new Map(
      createOwnTools({ ...WHOLE_HOST, hasWindows: true }).map(({ definition }) => [
        definition.name,
        definition,
      ]),
    );
    const own = new Map(createOwnTools(WHOLE_HOST).map(({ definition }) => [definition.name, definition]));
    const differing = [...own].filter(
      ([name, definition]) => JSON.stringify(definition) !== JSON.stringify(forWindows.get(name)),
    );
    expect(differing.map(([name]) => name)).toEqual(['add_server', 'list_servers']);
    expect(forWindows.get('add_server')?.inputSchema).toMatchObject({
      properties: { scope: { enum: ['window', 'all'] } },
    });
    expect(JSON.stringify(forWindows.get('list_servers'))).toContain('How many windows share it now');
  });

  it.each(
    [...createOwnTools(WHOLE_HOST), addServerTool({ hasWindows: true, store: WHOLE_HOST.store })].map(
      (tool) => [tool.definition.name, tool] as const,
    ),
  )('%s shows clients the schema that its arguments are checked by', (_, { definition, input }) => {
    const checked = z.toJSONSchema(input(mini), { target: 'draft-2020-12', io: 'input' });
    expect(withoutTexts(definition.inputSchema)).toEqual(withoutTexts(checked));
  });

  it('are the same but for persist, which add_server shows only where servers can be kept', () => {
    const [add, ...others] = WITHOUT_STORE;
    const [keepingAdd, ...keepingOthers] = WITH_STORE;
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
    expect(ALL.listedTools.every(({ name }) => ALL.has(name))).toBe(true);
    expect(['', 'constructor', 'echo', 'add_server__x'].filter((name) => ALL.has(name))).toEqual([]);
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
    expect(() => checkInput(addServerTool({}), args, mini)).toThrow(`${field}: `);
  });

  it('are none at all where a tool takes none', () => {
    expect(checkInput(listServersTool({}), undefined, mini)).toEqual({});
  });
});
