import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** What the processes of one server use: its process and the descendants in its process group. */
export interface Usage {
  /** In percent of one core; absent in the first sample on Linux, where it is a difference. */
  readonly cpu?: number | undefined;
  readonly bytes: number;
}

/** Usages by the process id of the server. */
export type Usages = ReadonlyMap<number, Usage>;

/** Reads what the processes of a machine use; empty where the system has no process groups (Windows). */
export type ReadUsages = () => Promise<Usages>;

/** One process of Linux. */
interface Process {
  readonly group: number;
  /** Processor time in ticks of 10 ms. */
  readonly ticks: number;
  readonly bytes: number;
}

const PERCENT_PER_TICK_AND_MS = 1000;

/** The reader for this system. It remembers the sample before. */
export function usageReader(platform: NodeJS.Platform, procRoot = '/proc', now = Date.now): ReadUsages {
  if (platform === 'win32') return () => Promise.resolve(new Map());
  return platform === 'linux' ? linuxReader(procRoot, now) : () => psUsages().catch(() => new Map());
}

function linuxReader(procRoot: string, now: () => number): ReadUsages {
  let before: { readonly time: number; readonly ticks: ReadonlyMap<number, number> } | undefined;
  return async () => {
    const groups = await linuxGroups(procRoot);
    const time = now();
    const usages = new Map<number, Usage>();
    for (const [group, { ticks, bytes }] of groups) {
      const past = before?.ticks.get(group);
      // A descendant that has ended takes its time with it.
      const used = past === undefined ? undefined : Math.max(0, ticks - past);
      const ms = time - (before?.time ?? time);
      const cpu = used === undefined || ms <= 0 ? undefined : (used * PERCENT_PER_TICK_AND_MS) / ms;
      usages.set(group, { cpu, bytes });
    }
    before = { time, ticks: new Map([...groups].map(([group, { ticks }]) => [group, ticks])) };
    return usages;
  };
}

async function linuxGroups(procRoot: string): Promise<ReadonlyMap<number, Omit<Process, 'group'>>> {
  const entries = await readdir(procRoot).catch(() => []);
  const ids = entries.filter((entry) => /^\d+$/.test(entry));
  const groups = new Map<number, Omit<Process, 'group'>>();
  for (const found of await Promise.all(ids.map((id) => linuxProcess(`${procRoot}/${id}`)))) {
    if (found === undefined) continue;
    const { ticks = 0, bytes = 0 } = groups.get(found.group) ?? {};
    groups.set(found.group, { ticks: ticks + found.ticks, bytes: bytes + found.bytes });
  }
  return groups;
}

/** Undefined for a process that has ended meanwhile. */
async function linuxProcess(folder: string): Promise<Process | undefined> {
  try {
    const [stat, status] = await Promise.all([
      readFile(`${folder}/stat`, 'latin1'),
      readFile(`${folder}/status`, 'latin1'),
    ]);
    // The name of the program, in parentheses, may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [group, user, system] = [fields[2], fields[11], fields[12]].map(Number);
    const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
    return { group: group ?? 0, ticks: (user ?? 0) + (system ?? 0), bytes: kilobytes * 1024 };
  } catch {
    return undefined;
  }
}

/** By `ps`, as macOS and the BSDs have it. */
async function psUsages(): Promise<Usages> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pgid=,rss=,%cpu=']);
  return usagesOf(stdout);
}

/** The usages in lines of group, kilobytes and percent. */
export function usagesOf(lines: string): Usages {
  const usages = new Map<number, { cpu: number; bytes: number }>();
  for (const line of lines.split('\n')) {
    const [group = Number.NaN, kilobytes = 0, cpu = 0] = line.trim().split(/\s+/).map(Number);
    if (line.trim() === '' || Number.isNaN(group + kilobytes + cpu)) continue;
    const sum = usages.get(group) ?? { cpu: 0, bytes: 0 };
    usages.set(group, { cpu: sum.cpu + cpu, bytes: sum.bytes + kilobytes * 1024 });
  }
  return usages;
}
