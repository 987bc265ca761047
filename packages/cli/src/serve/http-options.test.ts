import { Command } from 'commander';
import { describe, expect, it } from 'vitest';

import { addHttpOptions, parseHttpAddress, strayHttpFlag } from './http-options.js';

describe('--http', () => {
  it.each([
    ['8080', '127.0.0.1', 8080],
    ['0', '127.0.0.1', 0],
    ['0.0.0.0:80', '0.0.0.0', 80],
    ['localhost:1', 'localhost', 1],
    ['[::1]:8080', '::1', 8080],
  ])('%s is host %s and port %i', (text, host, port) => {
    expect(parseHttpAddress(text)).toEqual({ host, port });
  });

  it.each(['', 'x', '65536', '127.0.0.1', '::1:80', '-1', 'localhost:', '1.5'])(
    '%o is no address',
    (text) => {
      expect(() => parseHttpAddress(text)).toThrow('It must be a port');
    },
  );

  it('without an address is a port of loopback that stays the same', () => {
    const command = new Command();
    addHttpOptions(command);
    command.parse(['--http', '--insecure'], { from: 'user' });
    expect(command.opts()).toEqual({ http: { host: '127.0.0.1', port: 6270 }, insecure: true });
  });

  it('a flag that means nothing without it is told', () => {
    expect(strayHttpFlag({ insecure: true })).toBe('--insecure needs --http');
    expect(strayHttpFlag({ insecure: true, http: { host: 'h', port: 1 } })).toBeUndefined();
  });
});
