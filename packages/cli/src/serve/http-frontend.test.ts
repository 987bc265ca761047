import { expect, it } from 'vitest';

import { urlLines } from './http-frontend.js';

it('stderr names /sse where it is served, and only there', () => {
  const line = 'mcpmux: serving MCP at http://[::1]:8080/mcp\n';
  expect(urlLines('http://[::1]:8080/mcp', {})).toBe(line);
  expect(urlLines('http://[::1]:8080/mcp', { sse: true })).toBe(
    `${line}mcpmux: serving the transport of 2024-11-05 at http://[::1]:8080/sse\n`,
  );
});
