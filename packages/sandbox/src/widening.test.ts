import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { describeSandbox } from './describe.js';
import { networkReach, type SandboxSettings } from './settings.js';
import { findWidenings, type Permitted } from './widening.js';

const WHOLE_NETWORK =
  'It may reach the whole network: the internet, your local network, and servers on this computer. On a Linux desktop ' +
  'with X11 it may then control your session: see the screen, and type.';

const permitted = (settings: SandboxSettings, folder = '/home/ann/work'): Permitted => ({
  settings,
  folder,
  home: '/home/ann',
});
const ask = (sandbox: SandboxSettings | 'off', policy: SandboxSettings = {}, cwd = '/home/ann/work') =>
  findWidenings({ sandbox, cwd }, permitted(policy));

describe('a request for less, or the same, is not wider', () => {
  it.each<[SandboxSettings, SandboxSettings]>([
    [{}, {}],
    [{ network: false }, { network: true }],
    [{ network: { allowedDomains: ['a.com'] } }, { network: true }],
    [{ network: { allowedDomains: ['b.a.com'] } }, { network: { allowedDomains: ['*.a.com'] } }],
    [{ filesystem: { allowWrite: ['./out'] } }, {}],
    [{ filesystem: { allowWrite: ['/data/x'] } }, { filesystem: { allowWrite: ['/data'] } }],
    [{ filesystem: { denyRead: ['/data'] } }, {}],
    [{ filesystem: { allowRead: ['~/.aws'] } }, { filesystem: { allowRead: ['~/.aws'] } }],
  ])('%j under %j', (wanted, policy) => {
    expect(ask(wanted, policy)).toEqual([]);
  });
});

describe('a request for more says what it opens', () => {
  it.each<[SandboxSettings | 'off', SandboxSettings, string]>([
    ['off', { network: true }, 'It runs without a sandbox: with all your rights, files and network.'],
    [{ network: true }, {}, WHOLE_NETWORK],
    [{ network: true }, { network: { allowedDomains: ['a.com'] } }, WHOLE_NETWORK],
    [
      { network: { allowedDomains: ['a.com', 'b.com'] } },
      { network: { allowedDomains: ['a.com'] } },
      'It may send data to b.com.',
    ],
    [
      { network: { allowedDomains: ['a.com'] } },
      { network: { allowedDomains: ['a.com'], deniedDomains: ['x.a.com'] } },
      'It may reach x.a.com, which the policy denies.',
    ],
    [{ filesystem: { allowWrite: ['~/bin'] } }, {}, 'It may change and delete the files in /home/ann/bin.'],
    [
      { filesystem: { allowWrite: ['../other'] } },
      {},
      'It may change and delete the files in /home/ann/other.',
    ],
    [
      { filesystem: { allowWrite: ['.git/hooks'] } },
      {},
      'It may change and delete the files in /home/ann/work/.git/hooks.',
    ],
    [
      { filesystem: { allowWrite: ['./a/b'] } },
      { filesystem: { denyWrite: ['./a'] } },
      'It may change and delete the files in /home/ann/work/a/b.',
    ],
    [
      { filesystem: { allowRead: ['~/.ssh'] } },
      {},
      'It may read /home/ann/.ssh, which is hidden from others.',
    ],
    [
      { filesystem: { denyRead: [] } },
      { filesystem: { denyRead: ['/data'] } },
      'It may read /data, which the policy hides.',
    ],
  ])('%j under %j', (wanted, policy, sentence) => {
    expect(ask(wanted, policy)).toContain(sentence);
  });

  it.each(['/home/ann', '/home/ann/.config', '/home/ann/work/.vscode', '/home/ann/workshop'])(
    'the working directory %s is writable, so it is asked about',
    (cwd) => {
      expect(ask({}, {}, cwd)).toEqual([`It may change and delete the files in ${cwd}.`]);
    },
  );

  it.each(['sub/.git', 'sub/.git/objects', '.github', 'sub/.vscode/x', '.git'])(
    'a place that other programs run is asked about: %s, as working directory and as a folder to write',
    (place) => {
      const sentence = `It may change and delete the files in /home/ann/work/${place}.`;
      expect(ask({}, {}, `/home/ann/work/${place}`)).toEqual([sentence]);
      expect(ask({ filesystem: { allowWrite: [place] } })).toEqual([sentence]);
    },
  );

  it('secrets of mcpmux in a permitted folder are asked about', () => {
    const place = '/data/mcpmux';
    const policy = { ...permitted({ filesystem: { allowWrite: ['/data'] } }), secrets: [place] };
    const filesystem = { allowWrite: [place], allowRead: [`${place}/logins.json`] };
    expect(findWidenings({ sandbox: { filesystem }, cwd: '/home/ann/work' }, policy)).toEqual([
      `It may change and delete the files in ${place}.`,
      `It may read ${place}/logins.json, which is hidden from others.`,
    ]);
    expect(findWidenings({ sandbox: {}, cwd: place }, policy)).toHaveLength(1);
  });

  it('where the client itself is in the home folder, every folder in it is asked about', () => {
    const inHome = permitted({}, '/home/ann');
    expect(findWidenings({ sandbox: {}, cwd: '/home/ann' }, inHome)).toEqual([]);
    expect(findWidenings({ sandbox: {}, cwd: '/home/ann/.ssh' }, inHome)).toHaveLength(1);
    expect(findWidenings({ sandbox: {}, cwd: '/home/ann/bin' }, inHome)).toHaveLength(1);
  });
});

const settings = fc.record<SandboxSettings>(
  {
    network: fc.oneof(
      fc.boolean(),
      fc.record({
        allowedDomains: fc.subarray(['a.com', '*.a.com', 'b.com']),
        deniedDomains: fc.subarray(['c.a.com']),
      }),
    ),
    filesystem: fc.record({
      allowWrite: fc.subarray(['/data', '/data/x', './out', '~/bin']),
      denyRead: fc.subarray(['/data/y', './out/secret']),
    }),
  },
  { requiredKeys: [] },
);

it('the policy itself is never wider than itself, and nothing reaches further without a word', () => {
  fc.assert(
    fc.property(settings, settings, (wanted, policy) => {
      expect(
        findWidenings({ sandbox: policy, cwd: '/home/ann/work' }, permitted(policy)).filter((one) =>
          /network|send/.test(one),
        ),
      ).toEqual([]);
      const order = ['none', 'domains', 'all'];
      const isFurther = order.indexOf(networkReach(wanted)) > order.indexOf(networkReach(policy));
      expect(isFurther && ask(wanted, policy).length === 0).toBe(false);
    }),
  );
});

it('a sandbox is described in one line', () => {
  expect(describeSandbox({})).toBe('network: none; writes: its working directory');
  expect(
    describeSandbox({
      network: { allowedDomains: ['a.com'] },
      filesystem: { allowWrite: ['/x'], allowRead: ['/y'] },
    }),
  ).toBe('network: a.com; writes: its working directory, /x; also reads: /y');
  expect(describeSandbox({ network: true })).toContain('network: all');
});
