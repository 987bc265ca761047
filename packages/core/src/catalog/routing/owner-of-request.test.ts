import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ownerOfRequest } from './owner-of-request.js';

const [first, second, stranger] = [{ name: 'first' }, { name: 'second' }, { name: 'stranger' }];
const CLIENTS = new Set([first, second]);
const [ofFirst, ofSecond, ofStranger] = [{ client: first }, { client: second }, { client: stranger }];

describe('a request of a server', () => {
  it('A10: is for the one client that has calls in flight, however many', () => {
    const [oldest, next] = [{ ...ofFirst }, { ...ofFirst }];
    const owner = ownerOfRequest([oldest, next], CLIENTS, () => [first, second]);
    expect(owner).toEqual({ client: first, call: oldest });
    expect('call' in owner && owner.call).toBe(oldest);
    expect(ownerOfRequest([ofStranger, ofSecond], CLIENTS, () => [first, second])).toEqual({
      client: second,
      call: ofSecond,
    });
    expect(ownerOfRequest([ofSecond], CLIENTS, () => [])).toEqual({ client: second, call: ofSecond });
  });

  it('A10: is refused when several clients have calls in flight', () => {
    expect(ownerOfRequest([ofFirst, ofSecond], CLIENTS, () => [first])).toEqual({
      refusal: 'several clients have calls in flight at this server, so mcpmux cannot tell which to ask',
    });
  });

  it('A10: without a call is for the only client that has introduced itself', () => {
    expect(ownerOfRequest([], CLIENTS, () => [second])).toEqual({ client: second });
    expect(ownerOfRequest([ofStranger], CLIENTS, () => [second])).toEqual({ client: second });
  });

  it('A10: without a call is refused when there are several clients, or none', () => {
    expect(ownerOfRequest([], CLIENTS, () => [first, second])).toEqual({
      refusal: 'several clients are connected and none has a call in flight at this server',
    });
    expect(ownerOfRequest([], CLIENTS, () => [])).toEqual({ refusal: 'no client is connected' });
  });

  it('A10: never reaches a client while another has a call in flight', () => {
    const anyone = fc.constantFrom(first, second, stranger);
    fc.assert(
      fc.property(fc.array(anyone), fc.subarray([first, second]), (callers, greeted) => {
        const calls = callers.map((client) => ({ client }));
        const owner = ownerOfRequest(calls, CLIENTS, () => greeted);
        const owned = 'client' in owner ? owner.client : undefined;
        const others = callers.filter((caller) => caller !== stranger && caller !== owned);
        expect(owned === undefined ? [] : others).toEqual([]);
      }),
    );
  });
});
