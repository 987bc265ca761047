import { Buffer } from 'node:buffer';

import { anyText } from '@mcpmux/testing/any-text';
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
        anyText({ minLength: 6 }).filter((secret) => !'[redacted]'.includes(secret)),
        fc.array(anyText(), { maxLength: 4 }),
        (secret, parts) => {
          const shown = new Redactor([secret]).redact([...parts, ''].join(secret));
          // what surrounds the mark may form it anew: then it is no secret that was there
          fc.pre(!parts.some((part) => part.includes(secret)));
          expect(shown.split('[redacted]').some((rest) => rest.includes(secret))).toBe(false);
        },
      ),
    );
  });

  it('that overlaps another leaves nothing of either', () => {
    const redactor = new Redactor(['abcdef', 'defghi', 'xyxyxy']);
    expect(redactor.redact('<abcdefghi> <xyxyxyxy>')).toBe('<[redacted]> <[redacted]>');
  });
});

describe('a text that is split', () => {
  const SECRETS = ['hunter2', 'postgres://me:hunter2@host/db', 'xyxyxy', 'y-then-more', 'k'.repeat(40)];
  const redactor = new Redactor(SECRETS);

  /** The text in pieces of `length`, as it comes in chunks that end at these places. */
  function pieces(text: string, length: number, chunks: readonly number[]): string[] {
    const shown: string[] = [];
    let known = '';
    const starts = [0, ...chunks.toSorted((a, b) => a - b)];
    for (const [index, start] of starts.entries()) {
      known += text.slice(start, starts[index + 1]);
      const isWhole = index === starts.length - 1;
      for (let next; (next = redactor.split(known, length, isWhole)) !== undefined; known = next.rest)
        shown.push(next.shown);
    }
    return [...shown, redactor.redact(known)];
  }

  it('fault H4: has every secret masked, wherever a secret stands and wherever the text is cut', () => {
    for (const secret of SECRETS) {
      for (let before = 0; before < 150; before += 1) {
        const text = `${'.'.repeat(before)}${secret}${'.'.repeat(60)}`;
        for (const chunks of [[], [before + 3], [before, before + 6, before + secret.length - 1]]) {
          const joined = pieces(text, 64, chunks).join('');
          expect(joined.replaceAll('[redacted]', '')).toMatch(/^\.+$/);
        }
      }
    }
  });

  it('fault H4: has every secret masked among any others, and loses no other text', () => {
    const part = fc.oneof(fc.constantFrom(...SECRETS), fc.constantFrom('_', '.'.repeat(30), '_'.repeat(70)));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.array(fc.nat(400)), (parts, chunks) => {
        const text = parts.join('');
        const cuts = chunks.map((place) => Math.min(place, text.length));
        expect(pieces(text, 64, cuts).join('').replaceAll('[redacted]', '')).toBe(
          redactor.redact(text).replaceAll('[redacted]', ''),
        );
        expect(redactor.redact(text)).toMatch(/^(?:[._]|\[redacted\])*$/);
      }),
    );
  });

  it('ends, whatever repeats itself in it', () => {
    expect(pieces('xy'.repeat(2000), 64, []).join('').replaceAll('[redacted]', '')).toBe('');
  });
});
