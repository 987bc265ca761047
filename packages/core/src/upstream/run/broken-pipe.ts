import { type ChannelEnd, PipeError } from '@mcpmux/wire';
import { errorCodeOf } from '../../base/errors.js';

/** What the operating system says when the other side has closed a pipe. */
const CLOSED = new Set(['EPIPE', 'ECONNRESET']);

/** Which pipe of a server the end of its channel is about, and the problem with it unless it was simply closed. */
export function brokenPipe({ error }: ChannelEnd): {
  readonly pipe: 'stdin' | 'stdout';
  readonly problem?: string;
} {
  if (!(error instanceof PipeError)) return { pipe: 'stdout' };
  const pipe = error.side === 'input' ? 'stdout' : 'stdin';
  return CLOSED.has(errorCodeOf(error.cause) ?? '') ? { pipe } : { pipe, problem: error.message };
}
