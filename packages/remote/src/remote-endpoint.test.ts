import { describe, expect, it } from 'vitest';

import { remoteEndpoint } from './remote-endpoint.js';

describe('remoteEndpoint', () => {
  it('takes http and https, and leaves the fragment out', () => {
    expect(remoteEndpoint('https://example.com/mcp#x')).toMatchObject({
      url: new URL('https://example.com/mcp'),
      headers: {},
      transport: 'auto',
    });
  });

  it.each(['', 'example.com', 'file:///etc/passwd', 'ftp://example.com', 'javascript:alert(1)'])(
    'I17: refuses %j',
    (url) => {
      expect(() => remoteEndpoint(url)).toThrow('begins with http:// or https://');
    },
  );

  it.each([
    ['X-A', 'one\r\nX-B: two'],
    ['X-A', 'nul\0'],
    ['X A', 'x'],
    ['', 'x'],
    ['content-length', '5'],
    ['MCP-Protocol-Version', '2025-11-25'],
  ])('I14: refuses the header %j: %j without showing its value', (name, value) => {
    expect(() => remoteEndpoint('https://example.com', { [name]: value })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('two') as string }) as Error,
    );
  });
});
