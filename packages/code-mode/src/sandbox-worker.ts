// The program of a sandbox thread. The build bundles it with QuickJS into one file.
import { Buffer } from 'node:buffer';
import { parentPort, workerData } from 'node:worker_threads';

import variant from '@jitl/quickjs-wasmfile-release-sync';
import base64 from '@jitl/quickjs-wasmfile-release-sync/wasm';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSDeferredPromise,
  type QuickJSHandle,
} from 'quickjs-emscripten-core';
import { isRecord } from '@mcpmux/kit';

import { PRELUDE } from './prelude.js';
import type { FromSandbox, SandboxInput, ToSandbox } from './sandbox-messages.js';

/** Maximum stack size of the code. It must be below the thread's stack size, because QuickJS runs on that stack. */
const MAX_STACK_BYTES = 256 * 1024;
/** Maximum length of a call's arguments, in characters. */
const MAX_ARGUMENTS_LENGTH = 1_000_000;
/** Added to each printed line's length, so that the output limit also applies to empty lines. */
const LINE_COST = 16;

/** A run of code. Only strings pass between QuickJS and this thread. */
class Sandbox {
  private readonly pendingRequests = new Map<number, QuickJSDeferredPromise>();
  private requestCount = 0;
  private outputLength = 0;
  private isOver = false;

  constructor(
    private readonly context: QuickJSContext,
    private readonly input: SandboxInput,
    private readonly send: (message: FromSandbox) => void,
  ) {}

  start(): void {
    const { context } = this;
    const hostArguments = [
      context.newFunction('send', (what, subject, args) => this.sendRequest(what, subject, args)),
      context.newFunction('write', (text) => this.print(text)),
      context.newFunction('finish', (kind, text) => this.finish(kind, text)),
      context.newNumber(this.input.maxOutput),
    ];
    const prelude = context.unwrapResult(context.evalCode(PRELUDE, 'prelude.js'));
    const runFunction = context.unwrapResult(
      context.callFunction(prelude, context.undefined, ...hostArguments),
    );
    // The code begins on the first line, so that line numbers in errors are correct.
    const code = context.evalCode(`(async () => {${this.input.code}\n})`, 'code.js', { strict: true });
    if (code.error !== undefined) return this.endWithError(code.error);
    context.unwrapResult(context.callFunction(runFunction, context.undefined, code.value));
    this.runPendingJobs();
  }

  receiveAnswer({ id, json, error }: ToSandbox): void {
    const { context, pendingRequests } = this;
    const promise = pendingRequests.get(id);
    if (promise === undefined) return;
    pendingRequests.delete(id);
    if (json === undefined) promise.reject(context.newError(error ?? 'failed'));
    else promise.resolve(context.newString(json));
    this.runPendingJobs();
  }

  /** Runs the pending jobs. If no request is open afterwards, unfinished code can never finish, so the run is stuck. */
  private runPendingJobs(): void {
    const { error } = this.context.runtime.executePendingJobs();
    if (error !== undefined) this.endWithError(error);
    else if (this.pendingRequests.size === 0) this.end({ kind: 'stuck' });
  }

  private sendRequest(what: QuickJSHandle, subject: QuickJSHandle, args: QuickJSHandle): QuickJSHandle {
    const { context, input } = this;
    const promise = context.newPromise();
    const texts = this.readTexts([subject, args], MAX_ARGUMENTS_LENGTH);
    this.requestCount += 1;
    if (this.requestCount > input.maxCalls)
      promise.reject(context.newError(`the code made more than ${input.maxCalls} calls`));
    else if (texts === undefined)
      promise.reject(
        context.newError(`the arguments are no text, or longer than ${MAX_ARGUMENTS_LENGTH} characters`),
      );
    else {
      const [name = '', json = ''] = texts;
      const isCall = this.readTexts([what], MAX_ARGUMENTS_LENGTH)?.[0] === 'call';
      this.pendingRequests.set(this.requestCount, promise);
      this.send({
        kind: 'request',
        id: this.requestCount,
        what: isCall ? 'call' : 'describe',
        subject: name,
        args: json,
      });
    }
    return promise.handle;
  }

  private print(handle: QuickJSHandle): void {
    const remainingLength = this.input.maxOutput - this.outputLength;
    const [text] = this.readTexts([handle], this.input.maxOutput) ?? [];
    if (remainingLength <= 0 || text === undefined) return;
    this.outputLength += text.length + LINE_COST;
    this.send({ kind: 'line', text: text.slice(0, remainingLength) });
  }

  private finish(kind: QuickJSHandle, text: QuickJSHandle): void {
    const [name, shown] = this.readTexts([kind, text], this.input.maxOutput + 1) ?? [];
    if (name === 'value') this.end({ kind: 'value', json: shown === '' ? undefined : shown });
    else this.end({ kind: 'error', message: shown ?? 'unknown error' });
  }

  /** Ends the run with an error that the prelude cannot catch, such as a syntax error. */
  private endWithError(error: QuickJSHandle): void {
    const message = describeError(this.context.dump(error));
    this.end({ kind: 'error', message: message.slice(0, this.input.maxOutput) });
  }

  private end(message: FromSandbox): void {
    if (!this.isOver) this.send(message);
    this.isOver = true;
  }

  /** Returns the values as strings, or undefined if one of them is too long or not a string. */
  private readTexts(handles: readonly QuickJSHandle[], most: number): readonly string[] | undefined {
    const { context } = this;
    const isShortString = (handle: QuickJSHandle): boolean =>
      context.typeof(handle) === 'string' && context.getNumber(context.getProp(handle, 'length')) <= most;
    return handles.every(isShortString) ? handles.map((handle) => context.getString(handle)) : undefined;
  }
}

function describeError(dumped: unknown): string {
  if (!isRecord(dumped)) return String(dumped);
  const { name, message, stack } = dumped;
  const lines = typeof stack === 'string' ? stack.split('\n') : [];
  const where = lines.find((line) => line.includes('code.js'));
  return `${String(name)}: ${String(message)}${where === undefined ? '' : `\n${where}`}`;
}

/** Compiles the interpreter and sends it to the host for later threads. Compiling takes longer than a short run. */
async function compileInterpreter(send: (message: FromSandbox) => void): Promise<WebAssembly.Module> {
  const interpreter = await WebAssembly.compile(Buffer.from(base64, 'base64'));
  send({ kind: 'compiled', interpreter });
  return interpreter;
}

async function main(): Promise<void> {
  if (parentPort === null) throw new Error('code runs in a thread of its own');
  const port = parentPort;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only runCode starts this thread
  const input = workerData as SandboxInput;
  const send = (message: FromSandbox): void => port.postMessage(message);
  const quickjs = await newQuickJSWASMModuleFromVariant(
    newVariant(variant, { wasmModule: input.interpreter ?? (await compileInterpreter(send)) }),
  );
  const runtime = quickjs.newRuntime({
    memoryLimitBytes: input.memoryBytes,
    maxStackSizeBytes: MAX_STACK_BYTES,
  });
  const sandbox = new Sandbox(runtime.newContext(), input, send);
  port.on('message', (answer: ToSandbox) => sandbox.receiveAnswer(answer));
  send({ kind: 'ready' });
  sandbox.start();
}

void main();
