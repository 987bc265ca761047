import { expect, it } from 'vitest';

import { Scope, SHARED } from './scope.js';

const workspace = new Scope('workspace a', SHARED);
const session = new Scope('session 1', workspace);
const other = new Scope('session 2', SHARED);

it('H5: a session sees what is its own, what is of its workspace, and what is shared', () => {
  expect([session, workspace, SHARED].map((scope) => session.sees(scope))).toEqual([true, true, true]);
  expect(session.chain).toEqual([session, workspace, SHARED]);
  expect(session.depth).toBe(2);
});

it('H5: nobody sees what is of another, or only of those inside', () => {
  expect(session.sees(other)).toBe(false);
  expect(other.sees(workspace)).toBe(false);
  expect(workspace.sees(session)).toBe(false);
  expect(SHARED.sees(other)).toBe(false);
});

it('what is called the same in two scopes has two keys', () => {
  expect(new Set([session, workspace, other, SHARED].map((scope) => scope.key('x'))).size).toBe(4);
});
