import { once } from 'node:events';

import { echoServer } from '../forwarding/lineup.js';
import { ManagedProcess, nodeCommand } from '../managed-process.js';
import { rssBytes } from '../measure/process-usage.js';
import { bytePipe, mcpmux } from '../targets/stdio-targets.js';
import type { RunningTarget } from '../targets/target.js';
import type { Curve, Point } from './curve.js';
import { measureCalls } from './probes.js';

const IDLE = "process.stdin.resume(); process.stdout.write('x')";

/** Memory after so many calls, beside that of a bare Node.js and of the byte pipe after as many. */
export async function callsCurve(sizes: readonly number[]): Promise<Curve> {
  const bare = await bareNodeRss();
  await using pipe = await bytePipe.start(echoServer('100b'));
  await using mux = await mcpmux.start(echoServer('100b'));
  const points: Point[] = [];
  let done = 0;
  for (const size of sizes) {
    const values = {
      bare,
      pipe: await rssAfter(pipe, size - done),
      mcpmux: await rssAfter(mux, size - done),
    };
    points.push({ size, values });
    done = size;
  }
  return {
    name: 'calls',
    label: 'calls so far',
    metrics: [
      { key: 'bare', label: 'RSS of a bare Node.js', unit: 'MB' },
      { key: 'pipe', label: 'RSS of the byte pipe', unit: 'MB' },
      { key: 'mcpmux', label: 'RSS of mcpmux', unit: 'MB' },
    ],
    points,
  };
}

async function rssAfter(target: RunningTarget, calls: number): Promise<number> {
  const { rssBytes: rss } = await measureCalls(target, target.tool, { minCalls: calls });
  return (rss ?? Number.NaN) / 1e6;
}

async function bareNodeRss(): Promise<number> {
  await using idle = new ManagedProcess(nodeCommand('-e', IDLE));
  await once(idle.child.stdout, 'data');
  return rssBytes(idle.pid) / 1e6;
}
