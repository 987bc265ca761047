import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';

import type { Usage } from './overview-shown.js';

/** A process on the machine. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly memoryBytes: number;
  /** The processor time used so far, in seconds. */
  readonly cpuSeconds: number;
}

const TICKS_PER_SECOND = 100;
/** The index of the field with the number of resident pages. */
const RESIDENT_PAGES_FIELD = 21;
/**
 * The minimum time between two reads of the process table, in milliseconds, because the table is long. A request for a
 * process that the last read did not include reads it earlier.
 */
const MAX_AGE_MS = 10_000;
/** The number of processes to read before other work may run. Reading them takes less than a millisecond. */
const READ_BATCH_SIZE = 50;
const executeFile = promisify(execFile);

/** A reading of the process table. */
interface Reading {
  readonly time: number;
  /** The ids of the requested processes, including those that do not exist. */
  readonly requestedPids: ReadonlySet<number>;
  readonly usage: ReadonlyMap<number, Usage>;
}

/** The memory and processor time of servers' process trees. Reads the process table only on request. */
export class ProcessUsage {
  private lastReading: Reading | undefined;
  private lastCpuTimes: { readonly time: number; readonly seconds: ReadonlyMap<number, number> } | undefined;

  constructor(
    private readonly now: () => number,
    private readonly readTable: () => Promise<readonly ProcessRow[]> = processTable,
  ) {}

  /**
   * Returns the usage of each process including its descendants, by process id. A process that has ended has no entry.
   */
  async of(pids: readonly number[]): Promise<ReadonlyMap<number, Usage>> {
    const { lastReading } = this;
    const isCovered = lastReading !== undefined && pids.every((pid) => lastReading.requestedPids.has(pid));
    if (isCovered && this.now() - lastReading.time < MAX_AGE_MS) return lastReading.usage;
    const usage = await this.measure(pids);
    this.lastReading = { time: this.now(), requestedPids: new Set(pids), usage };
    return usage;
  }

  private async measure(pids: readonly number[]): Promise<ReadonlyMap<number, Usage>> {
    const rows = pids.length === 0 ? [] : await this.readTable();
    const now = this.now();
    const previousCpuTimes = this.lastCpuTimes;
    const trees = new Map(pids.map((pid) => [pid, processTree(pid, rows)] as const));
    const cpuSecondsByPid = new Map(
      [...trees].map(([pid, tree]) => [pid, sumOf(tree, 'cpuSeconds')] as const),
    );
    this.lastCpuTimes = { time: now, seconds: cpuSecondsByPid };
    const usage = new Map<number, Usage>();
    for (const [pid, tree] of trees) {
      if (tree.length === 0) continue;
      const earlierSeconds = previousCpuTimes?.seconds.get(pid);
      const elapsedSeconds = (now - (previousCpuTimes?.time ?? now)) / 1000;
      const usedSeconds = Math.max(0, (cpuSecondsByPid.get(pid) ?? 0) - (earlierSeconds ?? 0));
      usage.set(pid, {
        processes: tree.length,
        memoryBytes: sumOf(tree, 'memoryBytes'),
        ...(earlierSeconds !== undefined &&
          elapsedSeconds > 0 && { cpuPercent: Math.round((usedSeconds / elapsedSeconds) * 1000) / 10 }),
      });
    }
    return usage;
  }
}

function sumOf(rows: readonly ProcessRow[], key: 'cpuSeconds' | 'memoryBytes'): number {
  return rows.reduce((total, row) => total + row[key], 0);
}

/** Returns a process and its descendants. */
function processTree(root: number, rows: readonly ProcessRow[]): readonly ProcessRow[] {
  const members = rows.filter(({ pid }) => pid === root);
  for (const member of members) members.push(...rows.filter(({ parent }) => parent === member.pid));
  return members;
}

/** Returns all processes, or an empty array if the system cannot list them. */
async function processTable(): Promise<readonly ProcessRow[]> {
  // On Windows, listing the processes would be too expensive.
  if (process.platform === 'win32') return [];
  try {
    return process.platform === 'linux' ? await readProc() : await readPs();
  } catch {
    return [];
  }
}

/** Reads the processes from `/proc`, synchronously, because asynchronous reads of them take six times as long. */
async function readProc(): Promise<readonly ProcessRow[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const rows: ProcessRow[] = [];
  const pageBytes = pageBytesOf(readFileSync('/proc/self/stat', 'utf8'), process.memoryUsage.rss());
  for (const [index, pid] of pids.entries()) {
    if (index % READ_BATCH_SIZE === READ_BATCH_SIZE - 1) await nextTurn();
    const row = readProcRow(pid, pageBytes);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

function readProcRow(pid: string, pageBytes: number): ProcessRow | undefined {
  try {
    return parseProcRow(readFileSync(`/proc/${pid}/stat`, 'utf8'), pageBytes);
  } catch {
    // The process has ended in the meantime.
    return undefined;
  }
}

/** Returns the fields of `/proc/{pid}/stat` after the program name in parentheses, which may contain any character. */
function statFields(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/**
 * Returns the size of a memory page, which exceeds 4 KiB on some ARM kernels. Divides a process's resident bytes by its
 * resident pages, and rounds the result to a power of two.
 */
export function pageBytesOf(stat: string, bytes: number): number {
  return 2 ** Math.round(Math.log2(bytes / Number(statFields(stat)[RESIDENT_PAGES_FIELD])));
}

/** Parses `/proc/{pid}/stat`. */
export function parseProcRow(stat: string, pageBytes: number): ProcessRow {
  const fields = statFields(stat);
  const [, parent, user, system, pages] = [0, 1, 11, 12, RESIDENT_PAGES_FIELD].map((index) =>
    Number(fields[index]),
  );
  return {
    pid: Number.parseInt(stat, 10),
    parent: parent ?? 0,
    memoryBytes: (pages ?? 0) * pageBytes,
    cpuSeconds: ((user ?? 0) + (system ?? 0)) / TICKS_PER_SECOND,
  };
}

async function readPs(): Promise<readonly ProcessRow[]> {
  const { stdout } = await executeFile('ps', ['-axo', 'pid=,ppid=,rss=,time=']);
  return stdout.trim().split('\n').map(parsePsRow);
}

/** Parses a line of `ps -o pid=,ppid=,rss=,time=`. */
export function parsePsRow(line: string): ProcessRow {
  const [pid, parent, kilobytes, time = ''] = line.trim().split(/\s+/);
  const [days, clock] = time.includes('-') ? time.split('-') : ['0', time];
  const seconds = (clock ?? '').split(':').reduce((total, part) => total * 60 + Number(part), 0);
  return {
    pid: Number(pid),
    parent: Number(parent),
    memoryBytes: Number(kilobytes) * 1024,
    cpuSeconds: Number(days) * 86_400 + seconds,
  };
}
