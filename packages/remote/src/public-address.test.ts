import { describe, expect, it } from 'vitest';

import { isLocalHost, isPublicAddress } from './public-address.js';

describe('an address', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    '::',
    'fe80::1',
    'fd00:ec2::254',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2001:0:1::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::7f00:1',
    '64:ff9b::10.0.0.1',
    '::127.0.0.1',
    '224.0.0.1',
    '255.255.255.255',
    'localhost',
    '',
  ])('I17: %s is not on the public internet', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    '1.1.1.1',
    '172.32.0.1',
    '192.167.0.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:830::200e',
    '::ffff:1.1.1.1',
    '64:ff9b::101:101',
  ])('I17: %s is', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('the host of a url', () => {
  it.each([
    'http://localhost:3000',
    'http://LOCALHOST.',
    'http://a.localhost',
    'http://printer',
    'http://nas.local',
    'http://127.1',
    'http://0177.0.0.1',
    'http://2130706433',
    'http://[::1]',
    'http://[::ffff:10.0.0.1]',
  ])('I17: of %s tells that it is local', (url) => {
    expect(isLocalHost(new URL(url))).toBe(true);
  });

  it.each([
    'https://example.com',
    'http://1.1.1.1',
    'http://localhost.example.com',
    'http://127.0.0.1.nip.io',
  ])('I17: of %s does not', (url) => {
    expect(isLocalHost(new URL(url))).toBe(false);
  });
});
