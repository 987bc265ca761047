const UTIME = 11;
const STIME = 12;

/**
 * CPU time of a whole process in clock ticks, from the text of `/proc/PID/stat`.
 *
 * The name of the program stands in parentheses and may hold anything, parentheses and spaces included.
 */
export function cpuTicks(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[UTIME]) + Number(fields[STIME]);
  if (Number.isNaN(ticks)) throw new Error(`not a stat file: ${stat.slice(0, 100)}`);
  return ticks;
}

/** Resident memory in bytes, now (`VmRSS`) or at its highest (`VmHWM`), from the text of `/proc/PID/status`. */
export function residentBytes(status: string, which: 'VmRSS' | 'VmHWM'): number {
  const line = status.split('\n').find((text) => text.startsWith(`${which}:`));
  const kilobytes = Number.parseInt(line?.slice(which.length + 1) ?? '', 10);
  if (Number.isNaN(kilobytes)) throw new Error(`no ${which} in: ${status.slice(0, 100)}`);
  return kilobytes * 1024;
}
