import { expect, it } from 'vitest';

import { parseServerState } from '../live/server-state.js';
import { rowsText, stateRow } from './server-row.js';
import { TemporaryHome } from './testing/temporary-home.js';

it('a server that sleeps is shown with its tools and its calls, and when it starts again', () => {
  using home = new TemporaryHome();
  const state = parseServerState({ name: 'a', status: 'idle', tools: ['a__x', 'a__y'] });
  const row = stateRow(state, { a: { count: 1, failed: 0, running: 0 } });
  expect(row).toMatchObject({ status: 'idle', tools: ['a__x', 'a__y'], calls: { count: 1 } });
  expect(rowsText(home.context(), [row])).toBe('○  a  idle  2 tools, 1 call, starts with its next call');
});

it('a server of the modern era is shown with its revision', () => {
  using home = new TemporaryHome();
  const spoken = { protocol_version: '2026-07-28', era: 'modern' };
  const row = stateRow(parseServerState({ name: 'a', status: 'running', tools: [], ...spoken }));
  expect(row).toMatchObject(spoken);
  expect(rowsText(home.context(), [row])).toBe('●  a  running  0 tools, MCP 2026-07-28');
});
