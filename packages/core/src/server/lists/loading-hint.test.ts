import { expect, it } from 'vitest';

import { toolDefinition } from '../../testing/tool-definitions.js';
import { withLoading, type ToolLoading } from './loading-hint.js';

const ALWAYS = '"anthropic/alwaysLoad":true';

it.each<[ToolLoading, string, string]>([
  ['always', '{"name":"t","x":1.0}', `{"defer_loading":false,"_meta":{${ALWAYS}},"name":"t","x":1.0}`],
  ['deferred', '{"name":"t","x":1.0}', '{"defer_loading":true,"name":"t","x":1.0}'],
  ['always', '{"_meta":{},"name":"t"}', `{"defer_loading":false,"_meta":{${ALWAYS}},"name":"t"}`],
  [
    'always',
    '{"name":"t","_meta":{"k":1.0}}',
    `{"defer_loading":false,"name":"t","_meta":{${ALWAYS},"k":1.0}}`,
  ],
  ['always', '{"name":"t","_meta":null}', '{"defer_loading":false,"name":"t","_meta":null}'],
  [
    'deferred',
    `{"name":"t","defer_loading":false,"_meta":{${ALWAYS}}}`,
    '{"name":"t","defer_loading":true,"_meta":{"anthropic/alwaysLoad":false}}',
  ],
])('a tool with the loading %s has its hints, and no other byte changes: %s', (loading, before, after) => {
  const hinted = withLoading(toolDefinition(before), loading);
  expect(hinted.bytes.toString('utf8')).toBe(after);
  expect(hinted.key).toBe('t');
});
