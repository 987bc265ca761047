import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { loginKeys, openLogin, recordKeyOf, sealLogin, type LoginKeys } from './sealed-login.js';

const URLS = fc.webUrl({ withQueryParameters: true });
const LOGINS = fc.record({ version: fc.constant(1), tokens: fc.dictionary(fc.string(), fc.string()) });
const KEYS = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => keysOf(bytes));

function keysOf(...keys: readonly Uint8Array[]): LoginKeys {
  const read = loginKeys(keys.map((key) => Buffer.from(key).toString('base64')).join(','));
  if ('problem' in read) throw new Error(read.problem);
  return read;
}

describe('a sealed login', () => {
  it('is opened with its key and its url, and by nothing else', () => {
    fc.assert(
      fc.property(fc.tuple(URLS, URLS), LOGINS, fc.tuple(KEYS, KEYS), (urls, login, [keys, otherKeys]) => {
        const [url, otherUrl] = urls;
        fc.pre(url !== otherUrl && keys[0].id !== otherKeys[0].id);
        const sealed = sealLogin(login, url, keys[0]);
        expect(openLogin(sealed, url, [...otherKeys, ...keys])).toEqual({
          kind: 'opened',
          login: JSON.parse(JSON.stringify(login)),
          keyId: keys[0].id,
        });
        expect(openLogin(sealed, otherUrl, keys)).toEqual({ kind: 'unreadable' });
        expect(openLogin(sealed, url, otherKeys)).toEqual({ kind: 'other-key', keyId: keys[0].id });
        // Another key that claims to be this one.
        const impostor = { id: keys[0].id, key: otherKeys[0].key };
        expect(openLogin(sealed, url, [impostor])).toEqual({ kind: 'unreadable' });
      }),
    );
  });

  it('K9: is refused with any byte changed, added or taken out', () => {
    fc.assert(
      fc.property(
        URLS,
        LOGINS,
        KEYS,
        fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })),
        (url, login, keys, [at, by]) => {
          const sealed = sealLogin(login, url, keys[0]);
          const place = at % sealed.length;
          const changed = Uint8Array.from(sealed, (byte, index) => (index === place ? byte ^ by : byte));
          const shorter = sealed.filter((_, index) => index !== place);
          const longer = Buffer.concat([sealed.subarray(0, place), Buffer.of(by), sealed.subarray(place)]);
          for (const other of [changed, shorter, longer, sealed.subarray(0, place)]) {
            if (Buffer.from(sealed).equals(other)) continue;
            expect(openLogin(other, url, keys).kind).not.toBe('opened');
          }
        },
      ),
    );
  });

  it('is no other record, and never the same twice', () => {
    const keys = keysOf(new Uint8Array(32));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(openLogin(bytes, 'https://a.example', keys).kind).not.toBe('opened');
      }),
    );
    const login = { tokens: { access_token: 'plain-text-token' } };
    const url = 'https://a.example/mcp?key=s3cret';
    const [one, two] = [sealLogin(login, url, keys[0]), sealLogin(login, url, keys[0])];
    expect(Buffer.from(one).equals(two)).toBe(false);
    for (const hidden of ['plain-text-token', 's3cret', 'a.example'])
      expect(`${Buffer.from(one).toString('latin1')} ${recordKeyOf(url)}`).not.toContain(hidden);
  });
});

it('keys are 32 bytes in base64, and a problem tells nothing of them', () => {
  const [one, two] = [Buffer.alloc(32, 1).toString('base64'), Buffer.alloc(32, 2).toString('base64')];
  expect(loginKeys(`${one}\n${two}\n`)).toEqual(loginKeys(`${one},${two}`));
  expect(loginKeys(' \n')).toEqual({ problem: 'it contains no key' });
  const short = Buffer.alloc(31, 3).toString('base64');
  expect(loginKeys(`${one},${short}`)).toEqual({
    problem: 'key 2 has 31 bytes, and a key has 32 in base64',
  });
});
