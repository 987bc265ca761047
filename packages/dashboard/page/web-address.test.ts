import { expect, it } from 'vitest';

import { webAddress } from './web-address.js';

it('an address is shown in whole, with its host apart', () => {
  expect(webAddress('https://login.example:8443/a?b=1#c')).toEqual({
    href: 'https://login.example:8443/a?b=1#c',
    before: 'https://',
    host: 'login.example:8443',
    after: '/a?b=1#c',
  });
});

it('a host with letters of other scripts is shown in ASCII', () => {
  expect(webAddress('https://bаnk.example/')?.host).toBe('xn--bnk-6cd.example');
});

it.each([
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'file:///etc/passwd',
  'https://bank.example@evil.example/',
  '/relative',
  '',
])('%s is not opened', (text) => {
  expect(webAddress(text)).toBeUndefined();
});
