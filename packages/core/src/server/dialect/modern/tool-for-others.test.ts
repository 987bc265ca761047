import { describe, expect, it } from 'vitest';

import { isOutputWrapped, toolForLegacy } from './tool-for-others.js';

const PLAIN = '{"name":"x", "inputSchema":{"n":1.0}}';
const LIST = '{"name":"x","outputSchema":{"type":"array"}}';

function shown(definition: string, mayBeTask: boolean): string | undefined {
  return toolForLegacy(Buffer.from(definition), mayBeTask)?.toString();
}

describe('a tool of a modern server, for clients of the legacy era', () => {
  it('may be called as a task where its server takes part in tasks', () => {
    expect(shown(PLAIN, true)).toBe(
      '{"name":"x", "inputSchema":{"n":1.0},"execution":{"taskSupport":"optional"}}',
    );
    expect(shown(PLAIN, false)).toBeUndefined();
  });

  it('keeps what it says of tasks itself', () => {
    expect(shown('{"name":"x","execution":{"taskSupport":"forbidden"}}', true)).toBeUndefined();
  });

  it('has both the member of its output and the task', () => {
    const both = JSON.parse(shown(LIST, true) ?? '');
    expect(both).toMatchObject({
      outputSchema: { type: 'object', required: ['result'] },
      execution: { taskSupport: 'optional' },
    });
  });

  it('has wrapped results only where its output is no object', () => {
    expect(isOutputWrapped(Buffer.from(LIST))).toBe(true);
    expect(isOutputWrapped(Buffer.from(PLAIN))).toBe(false);
    expect(isOutputWrapped(Buffer.from('{"name":"x","outputSchema":{"type":"object"}}'))).toBe(false);
  });
});
