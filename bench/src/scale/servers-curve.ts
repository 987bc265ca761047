import { echoServer } from '../forwarding/lineup.js';
import { nodeCommand } from '../managed-process.js';
import { rssBytes } from '../measure/process-usage.js';
import { programPath } from '../program-path.js';
import { startMux } from '../targets/stdio-targets.js';
import type { RunningTarget } from '../targets/target.js';
import type { Curve, Point } from './curve.js';
import { measureCalls, measureLists } from './probes.js';
import { TINY_SERVER } from './tiny-server.js';

/** mcpmux embedded, with limits that these curves do not reach. */
export const MUX_HOST = nodeCommand(programPath('mux-host'));

/** Tiny servers beside the one that is called. */
export async function serversCurve(sizes: readonly number[], windowMs: number): Promise<Curve> {
  await using mux = await startMux(MUX_HOST, echoServer('100b'));
  await measureCalls(mux, mux.tool, { windowMs });
  const points: Point[] = [];
  let servers = 1;
  for (const size of sizes) {
    await addTinyServers(mux, servers, size);
    servers = Math.max(servers, size);
    points.push({ size: servers, values: await measure(mux, windowMs) });
  }
  return {
    name: 'servers',
    label: 'servers',
    metrics: [
      { key: 'listCpu', label: 'CPU per tools/list', unit: 'µs' },
      { key: 'listCpuPerTool', label: 'CPU per tools/list and tool', unit: 'µs' },
      { key: 'callCpu', label: 'CPU per call', unit: 'µs' },
      { key: 'callP50', label: 'p50 of a call', unit: 'ms' },
      { key: 'rss', label: 'RSS', unit: 'MB' },
    ],
    points,
  };
}

async function addTinyServers({ client }: RunningTarget, from: number, to: number): Promise<void> {
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
  await Promise.all(
    indexes.map((index) => client.callTool('add_server', { name: `tiny${index}`, ...TINY_SERVER })),
  );
}

async function measure(mux: RunningTarget, windowMs: number): Promise<Point['values']> {
  const rss = mux.pid === undefined ? Number.NaN : rssBytes(mux.pid);
  const lists = await measureLists(mux, windowMs);
  const calls = await measureCalls(mux, mux.tool, { windowMs });
  const alone = await measureCalls(mux, mux.tool, { windowMs, inFlight: 1 });
  const listCpu = lists.cpuMicrosPerCall ?? Number.NaN;
  return {
    listCpu,
    listCpuPerTool: listCpu / lists.tools,
    callCpu: calls.cpuMicrosPerCall ?? Number.NaN,
    callP50: alone.p50Ms,
    rss: rss / 1e6,
  };
}
