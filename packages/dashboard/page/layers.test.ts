import { expect, it } from 'vitest';

import { keyOf, labelsOf, layersOf, windowOf } from './layers.js';
import type { ServerView } from '../src/data/overview-shown.js';

const ALL: Pick<ServerView, 'name' | 'layer'> = { name: 'echo' };
const SERVER = { status: 'running' as const, tools: [], restarts: 0, dropped_lines: 0 };
const FOLDER = { name: 'echo', layer: 'workspace 1', workspace: '/home/me/app' };
const ONE = { name: 'mine', layer: 'window 2', workspace: '/home/me/app', session: 2 };
const TWO = { name: 'mine', layer: 'window 3', session: 3 };

it('servers of the same name differ by their layer', () => {
  expect(new Set([ALL, FOLDER, ONE, TWO].map(keyOf)).size).toBe(4);
});

it('a server belongs to all, to a folder or to a session', () => {
  expect([ALL, FOLDER, ONE].map(windowOf)).toEqual(['all', '/home/me/app', 'session 2']);
});

it('a server is told by its name, and by its window if several have the name', () => {
  const label = labelsOf([ALL, FOLDER, ONE].map((server) => Object.assign({ ...SERVER }, server)));
  expect(label({ server: 'mine', layer: 'window 2' })).toBe('mine');
  expect(label({ server: 'echo' })).toBe('echo (all)');
  expect(label({ server: 'echo', layer: 'workspace 1' })).toBe('echo (/home/me/app)');
  expect(label({ server: 'echo', layer: 'of one that has gone' })).toBe('echo (of one that has gone)');
  expect(label({ server: 'gone' })).toBe('gone');
});

it('servers of all clients are in one layer', () => {
  expect(layersOf([])).toEqual([]);
  expect(layersOf([ALL, ALL])).toEqual([{ id: '', label: 'all' }]);
});

it('each session, folder and the layer of all is listed once, the innermost first', () => {
  expect(layersOf([ALL, FOLDER, ONE, TWO, ONE])).toEqual([
    { id: 'window 2', label: 'session 2' },
    { id: 'window 3', label: 'session 3' },
    { id: 'workspace 1', label: '/home/me/app' },
    { id: '', label: 'all' },
  ]);
});

it('a session is looked at where it also sees its runs of servers with isolation: session', () => {
  const run = { ...ONE, layer: 'session 2', settings: { isolation: 'session' } };
  for (const servers of [
    [ONE, run],
    [run, ONE],
  ])
    expect(layersOf(servers)).toEqual([{ id: 'session 2', label: 'session 2' }]);
});

it('a workspace may have any name', () => {
  expect(layersOf([ALL, { layer: 'workspace 1', workspace: 'all' }]).map(({ id }) => id)).toEqual([
    'workspace 1',
    '',
  ]);
});
