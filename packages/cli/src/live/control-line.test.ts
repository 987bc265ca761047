import { expect, it } from 'vitest';

import { controlLine, controlRequest, type ControlRequest } from './control-line.js';

it.each<ControlRequest>([
  { command: 'events' },
  { command: 'events', after: 17 },
  { command: 'events', details: true },
  { command: 'reload-config' },
  { command: 'clients' },
  { command: 'calls' },
  { command: 'approvals' },
  { command: 'approvals', answer: { id: 3, isAllowed: true, scope: 'session' } },
  { command: 'page', isReadOnly: true, isOpened: false },
  { command: 'restart', name: 'a "name"\n' },
  { command: 'remove', name: '__proto__' },
  { command: 'hand-over' },
  { command: 'session', cwd: '/x' },
  { command: 'beside', window: 3 },
  { command: 'window', cwd: '/x', epoch: 0, pid: 7, added: [] },
  { command: 'window', cwd: '/x', epoch: 1, pid: 7, version: '1.0.0', added: [{ name: 'a' }] },
])('%j is understood from its line', (request) => {
  expect(controlLine(request)).not.toContain('\n');
  expect(controlRequest(controlLine(request))).toEqual(request);
});

it.each([
  {},
  { id: '3', isAllowed: true, scope: 'once' },
  { id: 3, isAllowed: true },
  { id: 3, isAllowed: true, scope: 'ever' },
  null,
])('E12: %j is no answer to an approval', (answer) => {
  expect(controlRequest(JSON.stringify({ mcpmux: 'approvals', answer }))).toEqual({ command: 'approvals' });
});

it('E12: an approval that does not say yes says no', () => {
  const line = JSON.stringify({ mcpmux: 'approvals', answer: { id: 3, isAllowed: 'yes', scope: 'once' } });
  expect(controlRequest(line)).toMatchObject({ answer: { isAllowed: false } });
});

it.each([
  '{"jsonrpc":"2.0","id":1,"method":"initialize"}',
  '{"mcpmux":"format-disk"}',
  '{"mcpmux":"restart"}',
  '{"mcpmux":"restart","name":1}',
  '{"mcpmux":"events"',
  '{"mcpmux":"window","cwd":"/x","epoch":"1","pid":7}',
  '{"mcpmux":"beside"}',
  '"events"',
  '',
])('%s begins an MCP session', (line) => {
  expect(controlRequest(line)).toBeUndefined();
});
