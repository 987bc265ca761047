import { systemClock } from '@mcpmux/kit';
import { CODE_MODE_DEFAULTS } from '../code-mode.js';
import { runCode, type SandboxOutcome, type SandboxTimes } from '../sandbox.js';
import type { SandboxLimits, SandboxRequest } from '../sandbox-messages.js';
import { SandboxThreads } from '../sandbox-threads.js';
import { sandboxProgram } from './sandbox-program.js';

/** What came of a run, and what the code has sent. */
export interface Run {
  readonly outcome: SandboxOutcome;
  readonly lines: readonly string[];
  readonly requests: readonly SandboxRequest[];
}

const threads = sandboxProgram().then((program) => new SandboxThreads(program));
const LATER_MS = 1500;

/** Runs code whose tools of the server `s` answer in their own ways; all others answer `ok`. */
export async function runSandbox(
  code: string,
  limits: Partial<SandboxLimits & SandboxTimes> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Run> {
  const lines: string[] = [];
  const requests: SandboxRequest[] = [];
  const { memoryBytes, maxCalls, maxOutput, computeMs, timeoutMs } = { ...CODE_MODE_DEFAULTS, ...limits };
  const input = { code, memoryBytes, maxCalls, maxOutput };
  const outcome = await runCode(
    await threads,
    input,
    { computeMs, timeoutMs },
    {
      clock: systemClock,
      signal,
      answerRequest: (request) => {
        requests.push(request);
        return answer(request);
      },
      print: (line) => lines.push(line),
    },
  );
  return { outcome, lines, requests };
}

function answer({ subject, args }: SandboxRequest): Promise<string> {
  switch (subject) {
    case '':
    case 's__fails':
      return Promise.reject(new Error('no'));
    case 's__args':
      return Promise.resolve(result(args));
    case 's__proto':
      return Promise.resolve('{"text":"","result":{"__proto__":{"polluted":1},"content":[]}}');
    case 's__waits':
      return new Promise(() => undefined);
    case 's__later':
      return new Promise((resolve) => {
        setTimeout(() => resolve(result('later')), LATER_MS);
      });
    default:
      return Promise.resolve(result('ok'));
  }
}

function result(text: string): string {
  return JSON.stringify({ text, result: { content: [{ type: 'text', text }] } });
}
