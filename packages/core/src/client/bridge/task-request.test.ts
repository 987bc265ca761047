import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { splice } from '@mcpmux/wire';
import { unwrapEdits } from './task-drive.js';
import { methodEdits, taskRequest } from './task-request.js';

describe('a request of mcpmux about a task', () => {
  it('is JSON with the id of the task, whatever that is, and a place for its own id', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (taskId, value) => {
        const extraMembers = { inputResponses: JSON.stringify(value) };
        const { line, id } = taskRequest('tasks/update', { taskId, meta: { 'a/b': '1' }, extraMembers });
        expect(JSON.parse(splice(line, [{ span: id, bytes: '7' }]).toString('utf8'))).toEqual({
          jsonrpc: '2.0',
          id: 7,
          method: 'tasks/update',
          params: { taskId, inputResponses: JSON.parse(extraMembers.inputResponses), _meta: { 'a/b': 1 } },
        });
      }),
    );
  });

  it('is one of another method', () => {
    const line = Buffer.from('{"id":1,"params":{"method":"x"},"method":"tasks/result"}');
    const edited = splice(line, methodEdits(line, 'tasks/get')).toString('utf8');
    expect(edited).toBe('{"id":1,"params":{"method":"x"},"method":"tasks/get"}\n');
  });
});

describe('the result of a task', () => {
  it('takes the place of the task, byte for byte', () => {
    const line = Buffer.from('{"result":{"status":"completed","result":{ "n":1.0 },"x":1}}');
    const outer = { start: line.indexOf('{"status'), end: line.length - 1 };
    const inner = { start: line.indexOf('{ "n"'), end: line.indexOf(',"x"') };
    expect(splice(line, unwrapEdits(outer, inner)).toString('utf8')).toBe('{"result":{ "n":1.0 }}\n');
  });
});
