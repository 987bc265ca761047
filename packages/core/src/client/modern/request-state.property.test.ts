import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { StateSeal, type RequestState } from './request-state.js';

const STATES: fc.Arbitrary<RequestState> = fc.record({
  mux: fc.string(),
  suspension: fc.nat(),
  expires: fc.nat(),
  principal: fc.string(),
});

describe('a sealed request state', () => {
  it('is opened by its own seal alone', () => {
    const [own, other] = [new StateSeal(), new StateSeal()];
    fc.assert(
      fc.property(STATES, (state) => {
        const sealed = own.seal(state);
        expect(own.open(sealed)).toEqual(state);
        expect(other.open(sealed)).toBeUndefined();
        expect(own.seal(state)).not.toBe(sealed);
      }),
    );
  });

  it('is refused with any character changed, added or taken out', () => {
    const seal = new StateSeal();
    const changes = fc.tuple(STATES, fc.nat(), fc.nat({ max: 2 }), fc.string({ minLength: 1, maxLength: 1 }));
    const details = fc.check(
      fc.property(changes, ([state, at, taken, put]) => {
        const sealed = seal.seal(state);
        const place = at % (sealed.length + 1);
        const changed = sealed.slice(0, place) + put + sealed.slice(place + taken);
        fc.pre(changed !== sealed);
        return seal.open(changed) === undefined;
      }),
    );
    expect(details.failed).toBe(false);
  });

  it('shows nothing of what it says', () => {
    const text = new StateSeal().seal({ mux: 'm', suspension: 1, expires: 2, principal: 'somebody' });
    expect(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString('latin1')).not.toContain('somebody');
  });

  it('is no text of anybody else', () => {
    const seal = new StateSeal();
    const texts = fc.oneof(
      fc.string(),
      fc.base64String().map((text) => `mcpmux1.${text}`),
    );
    expect(fc.check(fc.property(texts, (text) => seal.open(text) === undefined)).failed).toBe(false);
  });
});
