import { expect, it } from 'vitest';

import { controlLine, controlRequest, type ControlRequest } from './control-line.js';

it.each<ControlRequest>([
  { command: 'events' },
  { command: 'events', after: 17 },
  { command: 'reload-config' },
  { command: 'calls' },
  { command: 'page', isReadOnly: true },
  { command: 'restart', name: 'a "name"\n' },
  { command: 'remove', name: '__proto__' },
])('%j is understood from its line', (request) => {
  expect(controlLine(request)).not.toContain('\n');
  expect(controlRequest(controlLine(request))).toEqual(request);
});

it.each([
  '{"jsonrpc":"2.0","id":1,"method":"initialize"}',
  '{"mcpmux":"format-disk"}',
  '{"mcpmux":"restart"}',
  '{"mcpmux":"restart","name":1}',
  '{"mcpmux":"events"',
  '"events"',
  '',
])('%s begins an MCP session', (line) => {
  expect(controlRequest(line)).toBeUndefined();
});
