import { expect, it } from 'vitest';

import { modernHeaders } from './modern-headers.js';
import { ENVELOPE } from './raw-client.js';
import { toolCall } from './run-load.js';

const VERSION = { 'mcp-protocol-version': '2026-07-28' };

it('a call repeats its method and the name of its tool, and not the name of its client', () => {
  const [before, after] = toolCall('e__echo', ENVELOPE);
  expect(modernHeaders(`${before}7${after}`)).toEqual({
    ...VERSION,
    'mcp-method': 'tools/call',
    'mcp-name': 'e__echo',
  });
});

it('a request without a name repeats its method alone', () => {
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: ENVELOPE });
  expect(modernHeaders(message)).toEqual({ ...VERSION, 'mcp-method': 'server/discover' });
});
