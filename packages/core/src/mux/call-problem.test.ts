import { expect, it } from 'vitest';

import { callProblem } from './call-events.js';

function ofResult(result: object, secrets: readonly string[] = []): string | undefined {
  const line = Buffer.from(JSON.stringify(result));
  return callProblem(line, { result: { start: 0, end: line.length } }, () => secrets);
}

it('a result with isError has the first line of its text as its problem', () => {
  const content = [{ type: 'image' }, { type: 'text', text: 'no such file\nat x' }];
  expect(ofResult({ content, isError: true })).toBe('no such file');
  expect(ofResult({ content: [], isError: true })).toBe('');
});

it.each([
  [{ content: [{ type: 'text', text: 'fine' }] }],
  [{ content: [{ type: 'text', text: 'fine' }], isError: false }],
  [{ content: [{ type: 'text', text: '"isError": true' }] }],
])('%j is no failure', (result) => {
  expect(ofResult(result)).toBeUndefined();
});

it('an error of JSON-RPC has its message as its problem', () => {
  const line = Buffer.from('{"code":-32602,"message":"bad a"}');
  expect(callProblem(line, { error: { start: 0, end: line.length } }, () => [])).toBe('bad a');
});

it('secrets and controls are not shown, and a long text is cut', () => {
  const text = `token hunter2-secret \u001B[2J${'x'.repeat(500)}`;
  const problem = ofResult({ content: [{ type: 'text', text }], isError: true }, ['hunter2-secret']);
  expect(problem).toContain(String.raw`token [redacted] \u001b[2J`);
  expect(problem).not.toContain('hunter2');
  expect(problem?.length).toBeLessThan(320);
});

it('isError is found at the end of a long result', () => {
  const content = [{ type: 'text', text: 'x'.repeat(200_000) }];
  expect(ofResult({ content, isError: true })).toMatch(/^x{300}…$/);
});
