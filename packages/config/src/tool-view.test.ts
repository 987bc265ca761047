import { describe, expect, it } from 'vitest';

import type { RawServer } from './config-schema.js';
import { toolSettings } from './tool-settings.js';
import { toolView } from './tool-view.js';

const TOOLS = ['find', 'find_all', 'list', 'delete_one', 'admin/reset'];

function shown(server: Partial<RawServer>): readonly string[] {
  const settings = toolSettings({ command: 'x', ...server });
  if (settings === undefined) return TOOLS;
  return TOOLS.filter((tool) => toolView(settings).shown(tool) !== false);
}

describe('the tools that clients see', () => {
  it.each<[title: string, server: Partial<RawServer>, seen: readonly string[]]>([
    ['are all', {}, TOOLS],
    [
      'are those of Gemini CLI and Codex',
      { includeTools: ['find'], enabledTools: ['list'] },
      ['find', 'list'],
    ],
    ['are those of Copilot CLI', { tools: ['list'] }, ['list']],
    ['are all where Copilot CLI says so', { tools: ['*'] }, TOOLS],
    ['are all where Codex has settings of tools', { tools: { find: { approval_mode: 'auto' } } }, TOOLS],
    ['are none of an empty list', { includeTools: [] }, []],
    ['are all but those of Roo Code', { disabledTools: ['find'] }, TOOLS.slice(1)],
    ['are all where nothing is left out', { disabledTools: [], excludeTools: [] }, TOOLS],
    [
      'may be told by patterns',
      { includeTools: ['find*', '{list,admin/*}'] },
      ['find', 'find_all', 'list', 'admin/reset'],
    ],
    [
      'are not those that are left out, even if they are included',
      { includeTools: ['find*'], excludeTools: ['*_all'] },
      ['find'],
    ],
    ['are none where all are left out', { excludeTools: ['*'] }, []],
  ])('%s', (_, server, seen) => {
    expect(shown(server)).toEqual(seen);
  });
});

it('a tool is seen as its own name says, otherwise as the first pattern does', () => {
  const settings = toolSettings({
    command: 'x',
    mux: {
      tools: {
        'find*': { hidden: true },
        find: { name: 'search', description: 'Finds.' },
        '*': { hidden: false },
      },
    },
  });
  const view = toolView(settings ?? { exclude: [], overrides: {} });
  expect(view.shown('find')).toEqual({ name: 'search', description: 'Finds.' });
  expect(view.shown('find_all')).toEqual({ isHidden: true });
  expect(view.shown('list')).toEqual({});
});

it('a name that looks like a pattern stands for itself, too', () => {
  const settings = toolSettings({ command: 'x', includeTools: ['a[1]'] });
  const view = toolView(settings ?? { exclude: [], overrides: {} });
  expect(view.shown('a[1]')).toBeUndefined();
  expect(view.shown('b')).toBe(false);
});

it('a name that every object has is no setting', () => {
  const view = toolView({ exclude: [], overrides: { x: { hidden: true } } });
  expect(view.shown('constructor')).toBeUndefined();
});

it('the settings of a tool say when clients load its definition', () => {
  const settings = toolSettings({ command: 'x', mux: { tools: { 'find*': { loading: 'always' } } } });
  expect(settings && toolView(settings).shown('find')).toEqual({ loading: 'always' });
  expect(settings && toolView(settings).shown('list')).toBeUndefined();
});

it('the exposure of a server is a setting of its tools', () => {
  const settings = toolSettings({ command: 'x', mux: { exposure: 'search' } });
  expect(settings && toolView(settings).exposure).toEqual({ mode: 'search' });
});

it('arguments and results of a tool have the shapes of its settings', () => {
  const settings = toolSettings({
    command: 'x',
    mux: {
      tools: {
        find: {
          arguments: { a: { value: null }, b: { default: 1 }, c: { hidden: true } },
          result: 'content',
        },
      },
    },
  });
  expect(settings && toolView(settings).shown('find')).toEqual({
    arguments: { a: { value: null }, b: { default: 1 }, c: { hidden: true } },
    result: 'content',
  });
});

it('the shape of a pattern says that it is for several tools', () => {
  const settings = toolSettings({
    command: 'x',
    mux: { tools: { 'find*': { arguments: { a: { value: 1 } } }, find: { arguments: { a: { value: 2 } } } } },
  });
  const view = settings && toolView(settings);
  expect(view?.shown('find_all')).toEqual({ arguments: { a: { value: 1 } }, isPattern: true });
  expect(view?.shown('find')).toEqual({ arguments: { a: { value: 2 } } });
});
