import {
  type Guard,
  type GuardAnswer,
  type GuardContext,
  GuardRefusal,
  OWN_SERVER,
  resultAnswer,
  RUN_CODE,
} from '@mcpmux/core';
import { type Clock, isRecord, messageOf, Semaphore, systemClock } from '@mcpmux/kit';
import { runCode, type SandboxOutcome, type SandboxTimes } from './sandbox.js';
import { SANDBOX_PROGRAM } from './sandbox-program.js';
import type { SandboxLimits, SandboxRequest } from './sandbox-messages.js';
import { type SandboxProgram, SandboxThreads } from './sandbox-threads.js';
import { RunPlaces } from './run-places.js';
import { answerRequest } from './tool-request.js';

type RunLimits = SandboxLimits & SandboxTimes;

/** The options of code mode: the limits on each run, and the program of the sandbox threads. */
export interface CodeModeOptions extends Readonly<
  Partial<{ [Name in keyof RunLimits]: RunLimits[Name] | undefined }>
> {
  /** Maximum number of parallel runs per principal. Four times as many can wait; more are refused. Defaults to 2. */
  readonly maxRuns?: number | undefined;
  /** Maximum number of parallel tool calls per run; further calls wait. Defaults to 8. */
  readonly maxParallel?: number | undefined;
  /** The program of the sandbox threads. Defaults to the file in this package. */
  readonly program?: SandboxProgram | undefined;
  readonly clock?: Clock | undefined;
}

/** The default settings of code mode. */
export const CODE_MODE_DEFAULTS = {
  memoryBytes: 64 * 1024 * 1024,
  maxCalls: 100,
  maxOutput: 100_000,
  computeMs: 10_000,
  timeoutMs: 600_000,
  maxRuns: 2,
  maxParallel: 8,
  clock: systemClock,
} satisfies CodeModeOptions;

/** Maximum length of code, in characters. */
const MAX_CODE_LENGTH = 200_000;

type Settings = typeof CODE_MODE_DEFAULTS & { readonly threads: SandboxThreads };

/** Returns a guard that runs the code of `run_code` calls in a sandbox. Tool calls from the code pass all guards. */
export function codeMode(options: CodeModeOptions = {}): Guard {
  const definedOptions = Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  );
  const threads = new SandboxThreads(options.program ?? SANDBOX_PROGRAM);
  const settings: Settings = { ...CODE_MODE_DEFAULTS, ...definedOptions, threads };
  const runs = new RunPlaces(settings.maxRuns);
  return {
    answers: RUN_CODE,
    isInnermost: true,
    methods: ['tools/call'],
    handle: (context, next) =>
      isRunCodeCall(context) && !context.isNested ? answerRunCode(context, runs, settings) : next(),
  };
}

function isRunCodeCall({ server, tool, isVisible }: GuardContext): boolean {
  return server === OWN_SERVER && tool === RUN_CODE && isVisible;
}

async function answerRunCode(
  context: GuardContext,
  runs: RunPlaces,
  settings: Settings,
): Promise<GuardAnswer> {
  const code = readCode(context);
  if (typeof code !== 'string') return problemAnswer(code.problem);
  const place = runs.enter(context.principal.id, context.signal);
  if (place === undefined)
    throw new GuardRefusal('Too much code is running or waiting. Try again later.', { reason: 'busy' });
  const leave = await place;
  if (leave === undefined) throw new Error('the request is over');
  try {
    return await new CodeRun(context, settings).execute(code);
  } finally {
    leave();
  }
}

function readCode(context: GuardContext): string | { readonly problem: string } {
  const { arguments: args } = context.params;
  const { code, ...others } = isRecord(args) ? args : {};
  const unknown = Object.keys(others);
  if (unknown.length > 0)
    return { problem: `Invalid arguments for run_code: it takes no ${unknown.join(', ')}` };
  if (typeof code !== 'string' || code.trim() === '')
    return { problem: 'Invalid arguments for run_code: code is missing' };
  if (code.length > MAX_CODE_LENGTH)
    return { problem: `Invalid arguments for run_code: code has more than ${MAX_CODE_LENGTH} characters` };
  return code;
}

class CodeRun {
  private readonly printedLines: string[] = [];
  private readonly callSemaphore: Semaphore;
  private readonly abortController = new AbortController();

  constructor(
    private readonly context: GuardContext,
    private readonly settings: Settings,
  ) {
    this.callSemaphore = new Semaphore(settings.maxParallel);
  }

  async execute(code: string): Promise<GuardAnswer> {
    const { context, settings, abortController } = this;
    const { memoryBytes, maxCalls, maxOutput, threads, clock } = settings;
    try {
      const outcome = await runCode(threads, { code, memoryBytes, maxCalls, maxOutput }, settings, {
        clock,
        signal: context.signal,
        answerRequest: (request) => this.handleRequest(request),
        print: (line) => this.printedLines.push(line),
      });
      return this.createAnswer(outcome);
    } catch (error) {
      return problemAnswer(`The code could not be run: ${messageOf(error)}`);
    } finally {
      // Aborts calls that are still pending because the code did not await them.
      abortController.abort();
    }
  }

  private async handleRequest(request: SandboxRequest): Promise<string> {
    const { callSemaphore, abortController, context } = this;
    const { signal } = abortController;
    const { subject, what } = request;
    const place = callSemaphore.enter(signal);
    if (place === undefined || !(await place)) throw new Error('the run is over');
    try {
      const { nested } = context;
      if (what === 'call') nested.sendProgress(subject);
      return await answerRequest(request, nested, {
        signal,
        onProgress: (message) =>
          nested.sendProgress(message === undefined ? subject : `${subject}: ${message}`),
      });
    } finally {
      callSemaphore.leave();
    }
  }

  private createAnswer(outcome: SandboxOutcome): GuardAnswer {
    const { printedLines, settings } = this;
    const printedTexts = printedLines.length === 0 ? [] : [`Printed:\n${printedLines.join('\n')}`];
    switch (outcome.kind) {
      case 'value':
        return textAnswer([valueText(outcome.json, settings.maxOutput), ...printedTexts], false);
      case 'error':
        return textAnswer([outcome.message, ...printedTexts], true);
      case 'stuck':
        return textAnswer(
          ['The code waits for something that never comes: no call is open.', ...printedTexts],
          true,
        );
      case 'stopped':
        return textAnswer([`The code was stopped: ${outcome.reason}.`, ...printedTexts], true);
    }
  }
}

/** Formats the code's return value: a string unchanged, any other value as JSON. Truncates overlong JSON. */
function valueText(json: string | undefined, most: number): string {
  if (json === undefined) return 'The code returned nothing.';
  if (json.length > most)
    return `${json.slice(0, most)}\n… cut after ${most} characters: return less, or page by page.`;
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : json;
}

function problemAnswer(text: string): GuardAnswer {
  return textAnswer([text], true);
}

function textAnswer(all: readonly string[], isError: boolean): GuardAnswer {
  const content = all.map((text) => ({ type: 'text', text }));
  return resultAnswer({ content, ...(isError && { isError }) }, isError);
}
