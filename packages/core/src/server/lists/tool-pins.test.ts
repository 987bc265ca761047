import { parseServerName } from '@mcpmux/namespace';
import { describe, expect, it } from 'vitest';

import { toolDefinition } from '../../testing/tool-definitions.js';
import type { Definition } from './definition.js';
import type { ServerConfig } from '../config/server-config.js';
import { Layer } from '../config/layer.js';
import { toolIdentity, ToolPins, type PinFindings, type PinMode } from './tool-pins.js';

const A = parseServerName('a');
const CONFIG: ServerConfig = { command: 'npx', args: ['x'], env: { KEY: '1' } };
const SHARED = new Layer('shared');
const SERVER = { layer: SHARED, name: A, config: CONFIG };

/** Tools by name and description. */
function tools(descriptions: Readonly<Record<string, string>>): readonly Definition[] {
  return Object.entries(descriptions).map(([name, description]) =>
    toolDefinition(JSON.stringify({ name, description, inputSchema: { type: 'object' } })),
  );
}

/** Pins that have seen the tool `t` with the description `one`. */
function pinned(mode: PinMode): ToolPins {
  const pins = new ToolPins(mode);
  expect(pins.check(SERVER, tools({ t: 'one', u: 'one' }))).toEqual(new Map());
  return pins;
}

it('E12: a tool has another identity with another sandbox, and with another argument that settings set', () => {
  const [tool] = tools({ t: 'one' });
  if (tool === undefined) throw new Error('no tool');
  const identity = (config: ServerConfig, json?: string): string => {
    const shape = {
      arguments: new Map([['a', { kind: 'value', json: json ?? '' } as const]]),
      result: undefined,
    };
    return toolIdentity({ ...SERVER, config }, { ...tool, ...(json !== undefined && { shape }) }).server;
  };
  const confined = { ...CONFIG, sandbox: { network: false } };
  const all = [identity(CONFIG), identity(confined), identity(CONFIG, '1'), identity(CONFIG, '2')];
  expect(new Set(all).size).toBe(4);
  expect(identity(confined)).toBe(identity({ ...confined, sandbox: { ...confined.sandbox } }));
});

describe('pins of tools', () => {
  it('G1: another url or name of a header is another server, another value of a header is not', () => {
    const pins = new ToolPins('warn');
    const far = { url: 'https://a.example/mcp', headers: { Authorization: '1' } };
    const check = (config: ServerConfig) =>
      pins.check({ name: A, layer: SHARED, config }, tools({ t: 'one' }));
    check(far);
    expect(check({ ...far, headers: { Authorization: '2' } })).toEqual(new Map());
    expect(check({ ...far, headers: { 'X-Other': '2' } })).toEqual(new Map([['t', 'command']]));
    expect(check({ ...far, url: 'https://b.example/mcp' })).toEqual(new Map([['t', 'command']]));
  });

  it.each(['warn', 'block'] as const)('G1: a changed definition is found in mode %s', (mode) => {
    expect(pinned(mode).check(SERVER, tools({ t: 'two', u: 'one' }))).toEqual(new Map([['t', 'changed']]));
  });

  it('G1: in mode warn each change is told once', () => {
    const pins = pinned('warn');
    pins.check(SERVER, tools({ t: 'two' }));
    expect(pins.check(SERVER, tools({ t: 'two', u: 'one' }))).toEqual(new Map());
    expect(pins.check(SERVER, tools({ t: 'one' }))).toEqual(new Map([['t', 'changed']]));
  });

  it('G1: in mode block a change is found until it is approved or taken back', () => {
    const pins = pinned('block');
    pins.check(SERVER, tools({ t: 'two' }));
    expect(pins.check(SERVER, tools({ t: 'two' }))).toEqual(new Map([['t', 'changed']]));
    expect(pins.check(SERVER, tools({ t: 'one' }))).toEqual(new Map());
    pins.approve(SERVER, tools({ t: 'two' }));
    expect(pins.check(SERVER, tools({ t: 'two' }))).toEqual(new Map());
    expect(pins.check(SERVER, tools({ t: 'one' }))).toEqual(new Map([['t', 'changed']]));
  });

  it('G1: in mode block a new name is no way around: it needs approval too; in mode warn it does not matter', () => {
    expect(pinned('block').check(SERVER, tools({ renamed: 'one' }))).toEqual(new Map([['renamed', 'new']]));
    expect(pinned('warn').check(SERVER, tools({ renamed: 'one' }))).toEqual(new Map());
  });

  it('G1: a tool that was away is the one that it was', () => {
    for (const mode of ['warn', 'block'] as const) {
      const pins = pinned(mode);
      expect(pins.check(SERVER, [])).toEqual(new Map());
      expect(pins.check(SERVER, tools({ t: 'one' }))).toEqual(new Map());
      expect(pins.check(SERVER, tools({ t: 'two' }))).toEqual(new Map([['t', 'changed']]));
    }
  });

  it.each([
    [{ ...CONFIG, command: 'node' }],
    [{ ...CONFIG, args: ['y'] }],
    [{ ...CONFIG, cwd: '/tmp' }],
    [{ ...CONFIG, env: { KEY: '1', PATH: 'x' } }],
  ])('G2: the approval of a name is one of its command: %j needs another', (config) => {
    for (const mode of ['warn', 'block'] as const)
      expect(pinned(mode).check({ name: A, layer: SHARED, config }, tools({ t: 'one' }))).toEqual(
        new Map([['t', 'command']]),
      );
  });

  it('G2: another value of a secret variable is the same command, of any other it is another', () => {
    const pins = new ToolPins('block');
    const run = (env: Readonly<Record<string, string>>): PinFindings =>
      pins.check({ name: A, layer: SHARED, config: { command: 'x', env } }, tools({ t: 'one' }));
    run({ API_TOKEN: '1', NODE_OPTIONS: '' });
    expect(run({ API_TOKEN: '2', NODE_OPTIONS: '' })).toEqual(new Map());
    expect(run({ API_TOKEN: '1', NODE_OPTIONS: '--require ./evil.js' })).toEqual(new Map([['t', 'command']]));
  });

  it('G2: the name in other letters is the same name', () => {
    expect(
      pinned('block')
        .check({ name: parseServerName('A'), layer: SHARED, config: CONFIG }, tools({ t: 'two' }))
        .get('t'),
    ).toBe('changed');
  });

  it('G1: in mode off nothing is found', () => {
    expect(pinned('off').check(SERVER, tools({ t: 'two' }))).toEqual(new Map());
  });

  it('G1: of one server only so many are kept, those that it lists now above all', () => {
    const pins = new ToolPins('warn');
    const many = (from: number) =>
      tools(Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`t${from + index}`, 'one'])));
    pins.check(SERVER, many(0));
    pins.check(SERVER, many(1500));
    expect(pins.check(SERVER, tools({ t2999: 'two' })).size).toBe(1);
    expect(pins.check(SERVER, tools({ t0: 'two' })).size).toBe(0);
  });

  it('H5: what was seen in another layer says nothing of a server of the same name', () => {
    const pins = pinned('block');
    const elsewhere = { ...SERVER, layer: new Layer('session 1', SHARED) };
    expect(pins.check(elsewhere, tools({ t: 'two' }))).toEqual(new Map());
    expect(pins.check(SERVER, tools({ t: 'two' }))).toEqual(new Map([['t', 'changed']]));
  });
});
