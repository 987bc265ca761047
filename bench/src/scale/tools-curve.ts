import { echoServer } from '../forwarding/lineup.js';
import { SERVER_NAME, startMux } from '../targets/stdio-targets.js';
import type { Curve, Point } from './curve.js';
import { measureCalls, measureLists } from './probes.js';
import { MUX_HOST } from './servers-curve.js';

/** Tools of one server. */
export async function toolsCurve(sizes: readonly number[], windowMs: number): Promise<Curve> {
  const points: Point[] = [];
  for (const size of sizes) points.push({ size, values: await measure(size, windowMs) });
  return {
    name: 'tools',
    label: 'tools',
    metrics: [
      { key: 'listCpu', label: 'CPU per tools/list', unit: 'µs' },
      { key: 'listCpuPerTool', label: 'CPU per tools/list and tool', unit: 'µs' },
      { key: 'callCpu', label: 'CPU per call', unit: 'µs' },
      { key: 'rss', label: 'RSS', unit: 'MB' },
    ],
    points,
  };
}

async function measure(tools: number, windowMs: number): Promise<Point['values']> {
  await using mux = await startMux(MUX_HOST, echoServer('100b', ['--tools', String(tools)]));
  // the last of them: a search through a list would be slowest there
  const tool = tools === 1 ? mux.tool : `${SERVER_NAME}__echo_${tools - 1}`;
  await measureCalls(mux, tool, { windowMs });
  const calls = await measureCalls(mux, tool, { windowMs });
  const lists = await measureLists(mux, windowMs);
  const listCpu = lists.cpuMicrosPerCall ?? Number.NaN;
  return {
    listCpu,
    listCpuPerTool: listCpu / lists.tools,
    callCpu: calls.cpuMicrosPerCall ?? Number.NaN,
    rss: (lists.rssBytes ?? Number.NaN) / 1e6,
  };
}
