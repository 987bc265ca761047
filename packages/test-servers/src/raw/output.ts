import process from 'node:process';

import type { RequestId } from './message.js';

/** Writes text to the client as it is. The text must include its newline. */
export function write(text: string | Uint8Array, done?: () => void): void {
  process.stdout.write(text, done);
}

/** Returns a JSON-RPC message as a line, with its newline. */
export function lineOf(message: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}

/** Returns a tool result with one text block. */
export function textResult(text: string): object {
  return { content: [{ type: 'text', text }] };
}

/** Sends a notification. */
export function notify(method: string, params?: unknown): void {
  write(lineOf({ method, params }));
}

/** Sends a response with a result. */
export function answer(id: RequestId, result: object, done?: () => void): void {
  write(lineOf({ id, result }), done);
}

/** Sends a tool result with one text block per line. */
export function answerLines(id: RequestId, lines: readonly string[]): void {
  answer(id, { content: lines.map((text) => ({ type: 'text', text })) });
}

/** Sends a tool result with one text block. */
export function answerText(id: RequestId, text: string, done?: () => void): void {
  answer(id, textResult(text), done);
}

/** Sends an error response. */
export function fail(id: RequestId, code: number, message: string): void {
  write(lineOf({ id, error: { code, message } }));
}
