import { describe, expect, it } from 'vitest';

import { ManualClock } from '@mcpmux/testing/manual-clock';
import type { Scope } from '../upstream/config/scope.js';
import { Workspaces } from './workspaces.js';

function rig() {
  const clock = new ManualClock();
  const given: Scope[] = [];
  const workspaces = new Workspaces({ clock, idleMs: 1000, abandoned: (scope) => void given.push(scope) });
  return { clock, given, workspaces };
}

describe('a workspace', () => {
  it('H5: is one scope for all that name it, and no other one', () => {
    const { workspaces } = rig();
    const [one, two, other] = [workspaces.enter('a'), workspaces.enter('a'), workspaces.enter('b')];
    expect(two.scope).toBe(one.scope);
    expect(other.scope.sees(one.scope)).toBe(false);
    expect(one.scope.sees(other.scope)).toBe(false);
  });

  it('is given up when nobody has been in it for long, and is another one after that', () => {
    const { clock, given, workspaces } = rig();
    const [one, two] = [workspaces.enter('a'), workspaces.enter('a')];
    one.leave();
    clock.advance(5000);
    expect(given).toEqual([]);
    two.leave();
    clock.advance(999);
    expect(given).toEqual([]);
    clock.advance(1);
    expect(given).toEqual([one.scope]);
    expect(workspaces.size).toBe(0);
    expect(workspaces.enter('a').scope).not.toBe(one.scope);
  });

  it('stays when somebody comes back in time', () => {
    const { clock, given, workspaces } = rig();
    const one = workspaces.enter('a');
    one.leave();
    clock.advance(999);
    const back = workspaces.enter('a');
    clock.advance(5000);
    expect(back.scope).toBe(one.scope);
    expect(given).toEqual([]);
  });
});
