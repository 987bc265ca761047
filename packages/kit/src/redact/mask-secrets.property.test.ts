import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { maskArgs } from './mask-secrets.js';

/** Looks like the words of no other argument. */
const secret = fc
  .stringMatching(/^[A-Za-z0-9][A-Za-z0-9+/_.~-]{16,40}QZ7$/)
  .filter((text) => !text.includes('//'));
const noted = fc.stringMatching(/^[A-Za-z0-9]{16,40}QZ7$/);
const secretName = fc.constantFrom(
  'token',
  'api-key',
  'apiKey',
  'API_KEY',
  'password',
  'GITHUB_TOKEN',
  'AWS_SECRET_ACCESS_KEY',
  'client-secret',
  'dbPassword',
  'passphrase',
  'auth',
  'key',
  'PRIVATE_KEY',
  'X-Api-Key',
  'Authorization',
);

/** Arguments that hold one secret, in every form that is known. */
const withSecret = fc.oneof(
  fc.tuple(secretName, secret).map(([name, value]) => ({ args: [`--${name}`, value], value })),
  fc.tuple(secretName, secret).map(([name, value]) => ({ args: [`--${name}=${value} b;c&d`], value })),
  fc.tuple(secretName, secret).map(([name, value]) => ({ args: ['-e', `${name}=${value}`], value })),
  fc.tuple(secretName, secret).map(([name, value]) => ({ args: [`--env=${name}=${value}`], value })),
  fc.tuple(secretName, secret).map(([name, value]) => ({ args: ['-H', `${name}: Bearer ${value}`], value })),
  fc
    .tuple(secretName, secret)
    .map(([name, value]) => ({ args: [JSON.stringify({ a: 1, [name]: value })], value })),
  fc
    .tuple(secretName, secret)
    .map(([name, value]) => ({ args: ['-c', `${name}=${value} node x.js`], value })),
  fc
    .tuple(secretName, noted)
    .map(([name, value]) => ({ args: [`https://h/p?a=1&${name}=${value}&b=2`], value })),
  fc.tuple(secretName, noted).map(([name, value]) => ({ args: [`Server=h;${name}=${value};Port=1`], value })),
  noted.map((value) => ({ args: [`postgres://user:${value}@host:5432/db`], value })),
  noted.map((value) => ({ args: [`--url=https://${value}@host/path`], value })),
  fc
    .tuple(
      fc.constantFrom('sk-', 'sk-ant-api03-', 'ghp_', 'github_pat_', 'xoxb-', 'glpat-', 'hf_', 'sk_live_'),
      noted,
    )
    .map(([prefix, value]) => ({ args: [`x,${prefix}${value}`], value })),
);

const word = fc.stringMatching(/^[a-jl-oq-z][a-jl-oq-z0-9]{0,8}$/);
const harmless = fc
  .oneof(
    word,
    word.map((name) => `--${name}`),
    fc.tuple(word, word).map(([name, value]) => `--${name}=${value}`),
    fc.tuple(word, word).map(([scope, name]) => `@${scope}/server-${name}`),
    fc.tuple(word, word).map(([folder, name]) => `/home/${folder}/${name}.mjs`),
    fc.tuple(word, fc.nat(65_535)).map(([host, port]) => `http://${host}:${port}/path?q=${host}#top`),
    fc.constantFrom(
      '-y',
      '--max-tokens',
      '--token-file',
      '--no-auth',
      'sk-learn-server-for-python',
      '--tokens=3',
    ),
  )
  .filter(
    (arg) => !/(pass|auth|pat|pin|pwd|sig|token|key)$/.test(arg.split('=')[0] ?? '') || arg === '--no-auth',
  );

describe('the arguments of a program, as they are shown', () => {
  it('fault H3: never show a secret, wherever it stands among others', () => {
    fc.assert(
      fc.property(fc.array(harmless), withSecret, fc.array(harmless), (before, { args, value }, after) => {
        const masked = maskArgs([...before, ...args, ...after]);
        expect(masked.args.join('\n')).not.toContain(value);
        expect(masked.secrets.join('\n')).toContain(value);
        expect(masked.args.slice(0, before.length)).toEqual(before);
        expect(masked.args.slice(before.length + args.length)).toEqual(after);
      }),
    );
  });

  it('fault H3: are as they were where nothing looks like a secret', () => {
    fc.assert(
      fc.property(fc.array(harmless), (args) => {
        expect(maskArgs(args)).toEqual({ args, secrets: [] });
      }),
    );
  });

  it('fault H3: are masked once: what is masked has nothing left to mask', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('--token', 'a=b', 'token="x'))), (args) => {
        const { args: masked } = maskArgs(args);
        expect(maskArgs(masked).args).toEqual(masked);
      }),
    );
  });
});

describe('a long argument', () => {
  it.each([
    'a',
    '-',
    'a ',
    'a=',
    'a=b:',
    '://',
    '@',
    'sk-',
    'eyJ',
    '-eyJ',
    '_eyJ',
    '.eyJ',
    '"a":',
    'token',
    'token=',
    '-----BEGIN ',
  ])('fault H3, G10: made of %j is looked through in time that grows as it does', (piece) => {
    const text = piece.repeat(200_000 / piece.length);
    const began = performance.now();
    maskArgs([text]);
    // A third of a second at most, on a machine that does nothing else; with a square in it, most of a minute.
    expect(performance.now() - began).toBeLessThan(15_000);
  });
});
