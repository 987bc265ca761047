import { text as readAll } from 'node:stream/consumers';

import * as z from 'zod';

import type { Announcement } from './announcement.js';
import type { CallSummary } from './call-book.js';
import { CONTROL, type ControlCommand } from './control-line.js';
import { connectSocket } from './instances.js';

const calls = z.record(
  z.string(),
  z.object({
    count: z.number(),
    failed: z.number(),
    running: z.number(),
    p50: z.number().optional(),
    p95: z.number().optional(),
  }),
);

/**
 * The answer of an instance to a command that is answered by one line.
 *
 * @throws the error of the system when nobody listens
 */
export async function askInstance(
  instance: Announcement,
  command: Exclude<ControlCommand, 'events'>,
): Promise<unknown> {
  const socket = await connectSocket(instance);
  socket.write(`${CONTROL[command]}\n`);
  return JSON.parse(await readAll(socket));
}

/** What was called so far, by server; nothing where the instance is of a version that does not tell. */
export async function callsOf(instance: Announcement): Promise<Readonly<Record<string, CallSummary>>> {
  const answer = await askInstance(instance, 'calls').catch(() => ({}));
  return calls.safeParse(answer).data ?? {};
}
