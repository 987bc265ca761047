import { Buffer } from 'node:buffer';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Redactor } from './redactor.js';

const SECRET = 'p4ss/w ö"rd';

describe('a secret', () => {
  it.each([
    ['as it is', SECRET],
    ['in a URL', encodeURIComponent(SECRET)],
    ['in base64', Buffer.from(SECRET).toString('base64')],
    ['in base64 without padding', Buffer.from(SECRET).toString('base64').replace(/=+$/, '')],
    ['in base64 for URLs', Buffer.from(SECRET).toString('base64url')],
    ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
  ])('fault H4: is redacted %s', (_, form) => {
    expect(new Redactor([SECRET]).redact(`token=${form}, again ${form}!`)).toBe(
      'token=[redacted], again [redacted]!',
    );
  });

  it('fault H4: of several lines is redacted line by line', () => {
    const redactor = new Redactor(['-----BEGIN-----\r\nMIIBVgIBADAN\n-----END-----']);
    expect(redactor.redact('read MIIBVgIBADAN')).toBe('read [redacted]');
  });

  it('that is a part of another does not leave the rest of that one', () => {
    const redactor = new Redactor(['secret', 'my-secret-token']);
    expect(redactor.redact('my-secret-token secret')).toBe('[redacted] [redacted]');
  });

  it('of less than six characters is let through: it would be found everywhere', () => {
    expect(new Redactor(['', 'a', '12345']).redact('a 12345')).toBe('a 12345');
  });

  it('never stays in a text, whatever it is and wherever it stands', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 6, unit: 'binary' }).filter((secret) => !'[redacted]'.includes(secret)),
        fc.array(fc.string({ unit: 'binary' }), { maxLength: 4 }),
        (secret, parts) => {
          const shown = new Redactor([secret]).redact([...parts, ''].join(secret));
          // what surrounds the mark may form it anew: then it is no secret that was there
          fc.pre(!parts.some((part) => part.includes(secret)));
          expect(shown.split('[redacted]').some((rest) => rest.includes(secret))).toBe(false);
        },
      ),
    );
  });
});
