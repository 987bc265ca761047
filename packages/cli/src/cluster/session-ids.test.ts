import { expect, it } from 'vitest';

import { SessionIds } from './session-ids.js';

const ids = new SessionIds(Buffer.alloc(32, 1));

it('an id names its node, for every holder of the key', () => {
  const id = ids.create('web-1-ab12');
  expect(new SessionIds(Buffer.alloc(32, 1)).nodeOf(id)).toBe('web-1-ab12');
  expect(id).toMatch(/^[\x21-\x7E]+$/);
  expect(ids.create('web-1-ab12')).not.toBe(id);
});

it('an id that was made elsewhere, or changed, names none', () => {
  const id = ids.create('a');
  const foreign = new SessionIds(Buffer.alloc(32, 2)).create('a');
  for (const text of [foreign, id.replace('.a.', '.b.'), `${id}.x`, id.slice(0, -1), '', 'a.b', '..'])
    expect(ids.nodeOf(text)).toBeUndefined();
});
