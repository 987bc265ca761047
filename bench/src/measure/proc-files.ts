/** Time that a thread has run so far in nanoseconds, from the text of `/proc/PID/task/TID/schedstat`. */
export function runNanos(schedstat: string): number {
  const nanos = Number.parseInt(schedstat, 10);
  if (Number.isNaN(nanos)) throw new Error(`not a schedstat file: ${schedstat.slice(0, 100)}`);
  return nanos;
}

/** Resident memory in bytes, now (`VmRSS`) or at its highest (`VmHWM`), from the text of `/proc/PID/status`. */
export function residentBytes(status: string, which: 'VmRSS' | 'VmHWM'): number {
  const line = status.split('\n').find((text) => text.startsWith(`${which}:`));
  const kilobytes = Number.parseInt(line?.slice(which.length + 1) ?? '', 10);
  if (Number.isNaN(kilobytes)) throw new Error(`no ${which} in: ${status.slice(0, 100)}`);
  return kilobytes * 1024;
}

/** Memory in bytes, a page that several processes map divided among them, from the text of `/proc/PID/smaps_rollup`. */
export function proportionalBytes(rollup: string): number {
  return numberAt(/^Pss:\s+(\d+) kB$/m, rollup) * 1024;
}

/** How often a thread gave up its processor or lost it, from the text of `/proc/PID/task/TID/status`. */
export function contextSwitches(status: string): number {
  return (
    numberAt(/^voluntary_ctxt_switches:\s+(\d+)$/m, status) +
    numberAt(/^nonvoluntary_ctxt_switches:\s+(\d+)$/m, status)
  );
}

function numberAt(pattern: RegExp, text: string): number {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`no ${pattern.source} in: ${text.slice(0, 100)}`);
  return Number(found);
}

/** Clock ticks of all processors so far. */
export interface MachineTicks {
  readonly total: number;
  /** Ticks in which something here could have run, but the hypervisor let others run. */
  readonly stolen: number;
}

const STEAL = 7;
/** The fields behind are time of guests, which the fields before count as well. */
const COUNTED = 8;

/** Ticks of the whole machine, from the text of `/proc/stat`. */
export function machineTicks(stat: string): MachineTicks {
  const [first = ''] = stat.split('\n');
  const [name, ...texts] = first.split(/ +/u);
  const ticks = texts.slice(0, COUNTED).map(Number);
  const total = ticks.reduce((sum, one) => sum + one, 0);
  if (name !== 'cpu' || ticks.length < COUNTED || Number.isNaN(total)) {
    throw new Error(`not the stat file of a machine: ${stat.slice(0, 100)}`);
  }
  return { total, stolen: ticks[STEAL] ?? 0 };
}
