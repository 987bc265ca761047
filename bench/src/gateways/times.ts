import { median } from '../measure/statistics.js';
import type { TimesOf } from './gateway-report.js';
import { serversBy, type GatewaySpec } from './gateway-spec.js';
import { listedTools, serverName } from './listed-tools.js';
import type { Lineup, Member } from './lineup.js';

/** Starts each gateway alone so many times, in turn, and returns the median of each until its first list of all servers. */
export async function measureStarts(
  starts: number,
  specs: readonly GatewaySpec[],
  open: (spec: GatewaySpec) => Promise<Lineup>,
): Promise<Pick<TimesOf, 'gateway' | 'startMs'>[]> {
  const times = new Map<string, number[]>();
  // the first start also reads the files of each program from the disk
  for (let start = 0; start <= starts; start += 1) {
    for (const spec of specs) {
      await using lineup = await open(spec);
      const [listedMs] = await lineup.each(({ running }) => Promise.resolve(running.listedMs));
      if (start > 0 && listedMs !== undefined)
        times.set(spec.name, [...(times.get(spec.name) ?? []), listedMs]);
    }
  }
  return [...times].map(([gateway, all]) => ({ gateway, startMs: median(all) }));
}

/** Adds, reloads and removes one more server, so many times, with each gateway that has tools for that. */
export async function measureChanges(
  changes: number,
  lineup: Lineup,
): Promise<Pick<TimesOf, 'gateway' | 'addMs' | 'reloadMs'>[]> {
  const all = await lineup.each(async (member) => {
    if (!(await canChange(member))) return null;
    const add: number[] = [];
    const reload: number[] = [];
    for (let change = 0; change < changes; change += 1) {
      add.push(await timeOf(() => addOne(member)));
      reload.push(await timeOf(() => callWithName(member, 'reload_server')));
      await callWithName(member, 'remove_server');
    }
    return { gateway: member.spec.name, addMs: median(add), reloadMs: median(reload) };
  });
  return all.filter((one) => one !== null);
}

async function canChange({ spec, running }: Member): Promise<boolean> {
  if (serversBy(spec) === 'one command') return false;
  const { result } = await running.client.request('tools/list');
  const names = new Set((result['tools'] as readonly { readonly name: string }[]).map(({ name }) => name));
  return ['add_server', 'reload_server', 'remove_server'].every((name) => names.has(name));
}

/** Until the tools of the server are listed. */
async function addOne({ running }: Member): Promise<void> {
  const { client, tools, server } = running;
  await client.callTool('add_server', { name: serverName(tools.length), ...server });
  await listedTools(client, tools.length + 1);
}

async function callWithName({ running }: Member, tool: string): Promise<void> {
  await running.client.callTool(tool, { name: serverName(running.tools.length) });
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
