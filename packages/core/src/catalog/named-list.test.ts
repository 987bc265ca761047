import { describe, expect, it } from 'vitest';

import { promptsNamed } from '../testing/definitions.js';
import { StandInUpstream } from '../testing/stand-in-upstream.js';
import { mergeNamedLists, type NamedList } from './named-list.js';

function server(name: string, ...prompts: readonly string[]): StandInUpstream {
  return new StandInUpstream(name).offers({ prompts: promptsNamed(...prompts) });
}

function merged(...servers: readonly StandInUpstream[]): NamedList {
  return mergeNamedLists(servers, ({ lists }) => lists.prompts, 51);
}

const shown = ({ entries }: NamedList): readonly string[] => entries.map(({ exposedName }) => exposedName);

describe('the prompts of all servers', () => {
  it('S2: have the names of their servers before them, in the order of registration', () => {
    expect(shown(merged(server('b', 'y', 'x'), server('a', 'x')))).toEqual(['b__y', 'b__x', 'a__x']);
  });

  it('S2: that share a local name are all found by it', () => {
    const list = merged(server('a', 'x', 'y'), server('b', 'x'));
    const found = (name: string): unknown => list.byLocalName.get(name)?.map((entry) => entry.exposedName);
    expect([found('x'), found('y'), found('a__x')]).toEqual([['a__x', 'b__x'], ['a__y'], undefined]);
  });

  it('M6: are found by the qualified name and by the fitted one', () => {
    const list = merged(server('a', 'with space'));
    const [fitted = ''] = shown(list);
    expect(fitted).toMatch(/^a__with_space_/);
    expect(list.byName.get(fitted)).toBe(list.byName.get('a__with space'));
    expect(list.byName.size).toBe(2);
  });

  it('M6: never have a fitted name that is the qualified name of another, whichever comes first', () => {
    const [fitted = ''] = shown(merged(server('a', 'x y')));
    const local = fitted.slice('a__'.length);
    for (const names of [
      ['x y', local],
      [local, 'x y'],
    ]) {
      const list = merged(server('a', ...names));
      expect(new Set(shown(list)).size).toBe(2);
      expect(list.byName.get(fitted)?.definition.key).toBe(local);
    }
  });

  it('M7: of a crashed server are in no list, and still known by their names', () => {
    const list = merged(server('a', 'x').nowCrashed(), server('b', 'x'));
    expect(shown(list)).toEqual(['b__x']);
    expect(list.byName.get('a__x')?.upstream.name).toBe('a');
    expect(list.byLocalName.get('x')).toHaveLength(1);
  });

  it('M3: stay in the list while their server is reloaded, and not while it starts for the first time', () => {
    expect(shown(merged(server('a', 'x').nowStarting(2)))).toEqual(['a__x']);
    expect(shown(merged(server('a', 'x').nowStarting(1)))).toEqual([]);
  });
});
