import { echoServer } from '../forwarding/lineup.js';
import { mcpmux } from '../targets/stdio-targets.js';
import type { Curve, Point } from './curve.js';
import { measureCalls } from './probes.js';

/** Calls in flight at the same time. */
export async function inFlightCurve(sizes: readonly number[], windowMs: number): Promise<Curve> {
  await using mux = await mcpmux.start(echoServer('100b'));
  await measureCalls(mux, mux.tool, { windowMs });
  const points: Point[] = [];
  for (const size of sizes) {
    const calls = await measureCalls(mux, mux.tool, { windowMs, inFlight: size, minCalls: size });
    const { callsPerSecond, cpuMicrosPerCall, rssBytes } = calls;
    const values = {
      callsPerSecond,
      callCpu: cpuMicrosPerCall ?? Number.NaN,
      rss: (rssBytes ?? Number.NaN) / 1e6,
    };
    points.push({ size, values });
  }
  return {
    name: 'in-flight',
    label: 'calls in flight',
    metrics: [
      { key: 'callsPerSecond', label: 'calls', unit: '/s' },
      { key: 'callCpu', label: 'CPU per call', unit: 'µs' },
      { key: 'rss', label: 'RSS', unit: 'MB' },
    ],
    points,
  };
}
