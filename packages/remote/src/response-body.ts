import type { IncomingMessage } from 'node:http';

import { Parts } from '@mcpmux/wire';
import { messageTooLongError } from './event-stream.js';
import { joinShortParts, type LineParts } from './line-parts.js';

/** Flow control for the lines received from a server. */
export interface Flow {
  readonly isPaused: boolean;
  /** Resolves when more lines can be accepted. */
  whenTaken(): Promise<void>;
  /** Resolves when all lines received so far have been accepted. */
  whenDelivered(): Promise<void>;
}

/**
 * Passes a response body to `take` chunk by chunk. Stops reading while lines cannot be accepted. Rejects if the
 * connection breaks or `take` throws.
 */
export function readBody(message: IncomingMessage, flow: Flow, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const pauseIfNeeded = (): void => {
      if (!flow.isPaused) return;
      message.pause();
      void flow.whenTaken().then(() => message.resume());
    };
    message.on('data', (chunk: Buffer) => {
      try {
        take(chunk);
        pauseIfNeeded();
      } catch (error) {
        message.destroy();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    message.on('close', () => {
      if (message.readableEnded) resolve();
      else reject(message.errored ?? new Error('the response was given up'));
    });
    pauseIfNeeded();
  });
}

/** Reads a complete response body. Resolves to its chunks. Rejects if the body exceeds `maxBytes`. */
export async function bodyParts(message: IncomingMessage, flow: Flow, maxBytes: number): Promise<LineParts> {
  const chunks = new Parts();
  await readBody(message, flow, (chunk) => {
    chunks.push(chunk);
    if (chunks.length > maxBytes) throw messageTooLongError(maxBytes);
  });
  return joinShortParts(chunks.all);
}
