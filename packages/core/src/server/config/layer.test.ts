import { expect, it } from 'vitest';

import { Layer } from './layer.js';

const SHARED = new Layer('shared');
const workspace = new Layer('workspace a', SHARED);
const session = new Layer('session 1', workspace);
const other = new Layer('session 2', SHARED);

it('H5: a session sees what is its own, what is of its workspace, and what is shared', () => {
  expect([session, workspace, SHARED].map((layer) => session.sees(layer))).toEqual([true, true, true]);
  expect(session.chain).toEqual([session, workspace, SHARED]);
  expect([SHARED, workspace, session].map(({ isShared }) => isShared)).toEqual([true, false, false]);
});

it('H5: nobody sees what is of another, or only of those inside', () => {
  expect(session.sees(other)).toBe(false);
  expect(other.sees(workspace)).toBe(false);
  expect(workspace.sees(session)).toBe(false);
  expect(SHARED.sees(other)).toBe(false);
});

it('what is called the same in two layers has two keys', () => {
  expect(new Set([session, workspace, other, SHARED].map((layer) => layer.keyFor('x'))).size).toBe(4);
});
