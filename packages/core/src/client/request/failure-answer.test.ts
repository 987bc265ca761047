import { describe, expect, it } from 'vitest';

import { stringId } from '@mcpmux/wire';
import { StandInUpstream } from '../../testing/stand-in-upstream.js';
import type { CallFailure } from '../../server/link/run-failure.js';
import { failureAnswer, unavailableAnswer } from './failure-answer.js';

const CALL = { id: stringId('f'), method: 'tools/call' };
const OTHER = { id: stringId('f'), method: 'prompts/get' };
const EXITED: CallFailure = {
  kind: 'exited',
  exit: { exitCode: 3, signal: null },
  stderrTail: ['oh "no"'],
};

function parsed(line: Buffer): unknown {
  return JSON.parse(line.toString());
}

describe('the answer to a call of a tool that failed', () => {
  it('M5: tells the model how the run ended, its last words and what to do', () => {
    expect(parsed(failureAnswer(CALL, 's', EXITED))).toEqual({
      jsonrpc: '2.0',
      id: 'f',
      result: {
        isError: true,
        content: [
          {
            type: 'text',
            text:
              'Server "s" exited with code 3.\nIts stderr:\n  oh "no"\n' +
              'server_logs with {"name": "s"} shows more of them.\n' +
              'Call reload_server with {"name": "s"} to start it again.',
          },
        ],
      },
    });
  });

  it.each(['busy', 'unreadable-response'] as const)(
    'M5: is a protocol error while the server is alive: %s',
    (kind) => {
      expect(parsed(failureAnswer(CALL, 's', { kind, problem: 'p' }))).toMatchObject({
        id: 'f',
        error: { code: -32603, data: { server: 's', reason: kind } },
      });
    },
  );
});

describe('the answer to any other request that failed', () => {
  it('M5: is a protocol error that says to which server what happened', () => {
    expect(parsed(failureAnswer(OTHER, 's', EXITED))).toEqual({
      jsonrpc: '2.0',
      id: 'f',
      error: {
        code: -32603,
        message: 'Server "s" exited with code 3.',
        data: { server: 's', reason: 'exited', stderrTail: ['oh "no"'] },
      },
    });
  });
});

describe('the answer to a request for a server that does not run', () => {
  const states = [
    [new StandInUpstream('s').nowStarting(), 'is still starting'],
    [new StandInUpstream('s').nowRemoved(), 'was removed'],
    [new StandInUpstream('s').nowCrashed(), 'exited with code 1'],
  ] as const;

  it.each(states)('M7: says why, as the result of a tool or as an error: %#', (upstream, why) => {
    expect(parsed(unavailableAnswer(CALL, upstream))).toMatchObject({
      id: 'f',
      result: { isError: true, content: [{ text: expect.stringContaining(why) }] },
    });
    expect(parsed(unavailableAnswer(OTHER, upstream))).toMatchObject({
      id: 'f',
      error: { code: -32603, message: expect.stringContaining(why), data: { server: 's' } },
    });
  });
});
