import { describe, expect, it } from 'vitest';

import { ANYBODY, HOST, LOCAL } from '../../guards/principal.js';
import type { Upstream } from '../../server/upstream.js';
import {
  taskRequestMeta,
  principalIn,
  principalMembers,
  principalOf,
  principalToSend,
} from './sent-principal.js';

const ANN = { id: 'ann', roles: ['dev'], rights: ['manage'] };
const STREAMS = { address: 'x', advice: '', open: () => Promise.reject(new Error('not opened')) };

describe('the principal of a request that goes to another node', () => {
  it('is told with its roles, and without its rights: no node manages servers for another', () => {
    expect(principalIn(principalMembers(ANN))).toEqual({ ...ANN, rights: [] });
  });

  it.each([LOCAL, ANYBODY])('without credentials stays the same one: $id', (principal) => {
    expect(principalIn(principalMembers(principal))).toBe(principal);
    const namesake = { ...principal, roles: [] };
    expect(principalIn(principalMembers(namesake))).not.toBe(principal);
  });

  it('is told to other nodes alone, and not for requests of mcpmux itself', () => {
    const node = { config: { ...STREAMS, sendsPrincipal: true } } as unknown as Upstream;
    const other = { config: STREAMS } as unknown as Upstream;
    expect(principalToSend(ANN, node)).toBe(ANN);
    expect(principalToSend(HOST, node)).toBeUndefined();
    expect(principalToSend(ANN, other)).toBeUndefined();
    expect(JSON.stringify(taskRequestMeta(HOST))).not.toContain('principal');
  });

  it('is believed of another node alone', () => {
    const view = { server: 's' };
    expect(principalOf({ principal: HOST, view } as never, ANN)).toBe(ANN);
    expect(principalOf({ principal: HOST, view: {} } as never, ANN)).toBe(HOST);
    expect(principalOf({ principal: LOCAL, view } as never, ANN)).toBe(LOCAL);
  });

  it.each([
    undefined,
    null,
    1,
    {},
    { principal: 'ann' },
    { principal: { id: 1 } },
    { principal: { id: 'ann' } },
  ])('is none in %j', (info) => {
    expect(principalIn(info)).toBeUndefined();
  });

  it('has roles that are texts', () => {
    expect(principalIn({ principal: { id: 'ann', roles: ['a', 1, null] } })).toMatchObject({ roles: ['a'] });
    expect(principalIn({ principal: { id: 'ann', roles: 'a' } })).toBeUndefined();
  });
});
