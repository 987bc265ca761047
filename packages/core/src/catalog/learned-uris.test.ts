import { describe, expect, it } from 'vitest';

import { StandInUpstream } from '../testing/stand-in-upstream.js';
import { LearnedUris, MAX_LEARNED_URIS } from './learned-uris.js';

describe('a URI that a server spoke of', () => {
  it('S1: is of whoever spoke of it last', () => {
    const [a, b] = [new StandInUpstream('a'), new StandInUpstream('b')];
    const learned = new LearnedUris();
    expect(learned.ownerOf('x:1')).toBeUndefined();
    learned.learnOwner('x:1', a);
    learned.learnOwner('x:1', b);
    expect(learned.ownerOf('x:1')).toBe(b);
  });

  it('M2: is of nobody once the server is removed', () => {
    const a = new StandInUpstream('a');
    const learned = new LearnedUris();
    learned.learnOwner('x:1', a);
    expect(learned.ownersWhere(() => true)).toEqual(new Set([a]));
    a.nowRemoved();
    expect(learned.ownerOf('x:1')).toBeUndefined();
    expect(learned.ownersWhere(() => true)).toEqual(new Set());
  });

  it('M7: stays that of a crashed server', () => {
    const a = new StandInUpstream('a').nowCrashed();
    const learned = new LearnedUris();
    learned.learnOwner('x:1', a);
    expect(learned.ownerOf('x:1')).toBe(a);
  });

  it('tells its server apart from those of other URIs', () => {
    const [a, b] = [new StandInUpstream('a'), new StandInUpstream('b')];
    const learned = new LearnedUris();
    learned.learnOwner('x:1', a);
    learned.learnOwner('x:2', a);
    learned.learnOwner('y:1', b);
    expect(learned.ownersWhere((uri) => uri.startsWith('x:'))).toEqual(new Set([a]));
  });

  it('gives way when there are too many, unless it was seen again', () => {
    const a = new StandInUpstream('a');
    const learned = new LearnedUris();
    for (let index = 0; index < MAX_LEARNED_URIS; index += 1) learned.learnOwner(`x:${index}`, a);
    expect(learned.ownerOf('x:0')).toBe(a);
    learned.learnOwner('x:0', a);
    learned.learnOwner('one more', a);
    expect(learned.ownerOf('x:0')).toBe(a);
    expect(learned.ownerOf('x:1')).toBeUndefined();
    expect(learned.ownerOf('x:2')).toBe(a);
    expect(learned.ownerOf('one more')).toBe(a);
  });
});
