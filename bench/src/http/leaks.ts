import { readdirSync } from 'node:fs';

import { isMux, type HttpFront } from './http-front.js';

const SETTLE_MS = 15_000;
const LOOK_MS = 50;

/** The open objects of a front. */
export interface OpenThings {
  /** The sessions by the metrics of the front; zero for a front other than mcpmux, which has none. */
  readonly sessions: number;
  /** File descriptors of the process, sockets included. */
  readonly descriptors: number;
}

/** The objects that are open now. */
export async function openIn({ name, pid, url }: HttpFront): Promise<OpenThings> {
  const sessions = isMux(name) ? sessionsIn(await metricsAt(url)) : 0;
  return { sessions, descriptors: readdirSync(`/proc/${pid}/fd`).length };
}

/** The objects that are open beyond those of before: counted until none is left, for some seconds. */
export async function leftIn(front: HttpFront, before: OpenThings): Promise<OpenThings> {
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const now = await openIn(front);
    const left = {
      sessions: now.sessions - before.sessions,
      descriptors: Math.max(0, now.descriptors - before.descriptors),
    };
    if ((left.sessions === 0 && left.descriptors === 0) || performance.now() > deadline) return left;
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_MS);
    });
  }
}

/** The number of open sessions in the text of `/metrics`; NaN when it is not there. */
export function sessionsIn(metrics: string): number {
  return Number(/^mcpmux_sessions (\d+)$/m.exec(metrics)?.[1] ?? Number.NaN);
}

async function metricsAt(url: URL): Promise<string> {
  const answer = await fetch(new URL('/metrics', url), { headers: { connection: 'close' } });
  return answer.text();
}
