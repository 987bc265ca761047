import { once } from 'node:events';

import { expect, it } from 'vitest';

import type { FromSandbox } from './sandbox-messages.js';
import { SandboxThreads } from './sandbox-threads.js';
import { CODE_MODE_DEFAULTS } from './code-mode.js';
import { sandboxProgram } from './testing/sandbox-program.js';

/** The kinds of the messages of one run. */
async function kinds(threads: SandboxThreads): Promise<readonly string[]> {
  const { memoryBytes, maxCalls, maxOutput } = CODE_MODE_DEFAULTS;
  const thread = threads.start({ code: 'return 1', memoryBytes, maxCalls, maxOutput });
  const found: string[] = [];
  thread.on('message', ({ kind }: FromSandbox) => {
    found.push(kind);
    if (kind === 'value') void thread.terminate();
  });
  await once(thread, 'exit');
  return found;
}

it('compiles the interpreter in the first thread alone', async () => {
  const threads = new SandboxThreads(await sandboxProgram());
  expect(await kinds(threads)).toEqual(['compiled', 'ready', 'value']);
  expect(await kinds(threads)).toEqual(['ready', 'value']);
});
