import { expect, it } from 'vitest';

import { HOST, LOCAL, type Principal } from '../../guards/principal.js';
import type { Caller } from '../caller/caller.js';
import { eraIn, eraMembers, originEraOf } from './envelope.js';

function by(principal: Principal, server: string | undefined): Pick<Caller, 'principal' | 'view'> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the only member that is read
  return { principal, view: { server } as unknown as Caller['view'] };
}

it('an era that one node sends is read by the other', () => {
  expect(eraIn({ name: 'mcpmux', ...eraMembers('legacy') })).toBe('legacy');
  expect(eraMembers(undefined)).toEqual({});
});

it.each([{}, { era: 'modern' }, { era: 7 }, undefined, 'legacy'])('no era is read in %j', (info) => {
  expect(eraIn(info)).toBeUndefined();
});

it('only another node names the era of a client', () => {
  expect(originEraOf(by(HOST, 's'), 'legacy')).toBe('legacy');
  expect(originEraOf(by(HOST, undefined), 'legacy')).toBeUndefined();
  expect(originEraOf(by(LOCAL, 's'), 'legacy')).toBeUndefined();
});
