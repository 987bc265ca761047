import { systemProgram } from './system-program.js';

/**
 * The guard's program on Windows, for `node -e`. It reads `+PID` for a new process, and `-PID` for an ended process,
 * whose descendants it ends. When mcpmux ends, the guard's input ends, and the guard ends the registered processes.
 *
 * libuv puts the children of mcpmux into a job that ends with mcpmux, so most registered processes have ended by then,
 * and `taskkill /T` would find no tree. Their children still have these ids as parent ids. A parent id may also belong
 * to a process that ended long ago, and ids are reused, so creation times are compared if the list contains them.
 */
const GUARD_PROGRAM = `
const { execFile } = require('node:child_process');
const input = require('node:readline').createInterface({ input: process.stdin });
// The creation time as Windows writes it, the parent id, and the process id.
const ROW = /^(?:(\\d{4})(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)\\.(\\d{3})\\d*([+-]\\d+))?\\s*(\\d+)\\s+(\\d+)\\s*$/;
// For each process, the period in which it can have started children.
const running = new Map();
let ended = new Map();
let isBusy = false;
input.on('line', (line) => {
  const pid = Number(line.slice(1));
  if (line.startsWith('+')) return running.set(pid, [Date.now() - 2000, Infinity]);
  if (!running.has(pid)) return;
  const [since] = running.get(pid);
  running.delete(pid);
  ended.set(pid, [since, Date.now()]);
  sweep();
});
input.on('close', () => {
  for (const [pid, [since]] of running) ended.set(pid, [since, Date.now()]);
  sweep(new Set(running.keys()));
});
// One list covers all processes that have ended in the meantime.
function sweep(roots = new Set()) {
  if (ended.size === 0 || (isBusy && roots.size === 0)) return;
  isBusy = true;
  const doomed = ended;
  ended = new Map();
  end(doomed, roots, 3);
}
function end(doomed, roots, rounds) {
  list(JSON.parse(process.env.MCPMUX_GUARD_LISTS), (rows) => {
    const found = new Set();
    const isIn = (life, created) => life && (created === undefined || (created >= life[0] && created <= life[1]));
    for (let size = -1; size < found.size; ) {
      size = found.size;
      for (const { parent, pid, created } of rows) {
        const isRoot = roots.has(pid) && isIn(doomed.get(pid), created);
        if (found.has(pid) || !(isRoot || isIn(doomed.get(parent), created))) continue;
        found.add(pid);
        doomed.set(pid, [created ?? 0, Infinity]);
      }
    }
    for (const pid of found) {
      try { process.kill(pid, 'SIGKILL'); } catch {}
      doomed.set(pid, [doomed.get(pid)[0], Date.now()]);
    }
    // From now on, the ids of ended processes may be reused.
    if (found.size > 0 && rounds > 1) return end(doomed, new Set(), rounds - 1);
    isBusy = false;
    sweep();
  });
}
function list([[file, ...args], ...others], use) {
  execFile(file, args, { encoding: 'latin1', windowsHide: true, maxBuffer: 1e8 }, (error, text) => {
    const rows = (text ?? '').replaceAll('\\0', '').split('\\n').flatMap((line) => {
      const [, year, ...rest] = ROW.exec(line) ?? [];
      const [month, day, hour, minute, second, ms, zone, parent, pid] = rest.map(Number);
      if (pid === undefined) return [];
      const created = year && Date.UTC(year, month - 1, day, hour, minute - zone, second, ms);
      return [{ parent, pid, ...(created && { created }) }];
    });
    if (rows.length > 0 || others.length === 0) use(rows);
    else list(others, use);
  });
}
`;

/**
 * Prints the creation time, the parent id and the id of every process, except system processes without a creation time.
 * The command uses only types that PowerShell's constrained language mode allows.
 */
const POWERSHELL_COMMAND =
  'Get-CimInstance Win32_Process | Where-Object CreationDate | ForEach-Object { ' +
  "$at = $_.CreationDate.ToUniversalTime().ToString('yyyyMMddHHmmss.fff', [cultureinfo]::InvariantCulture); " +
  "'{0}+000 {1} {2}' -f $at, $_.ParentProcessId, $_.ProcessId }";
/** The columns to request from `wmic`, best first. `wmic` prints them alphabetically. Wine's refuses the time. */
const WMIC_COLUMNS = ['CreationDate,ParentProcessId,ProcessId', 'ParentProcessId,ProcessId'];

/** A program that lists the processes of the system, and its arguments. */
export type ProcessList = readonly [file: string, ...args: readonly string[]];

/** The command that starts the guard. */
interface GuardCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Returns the guard's command. The guard ends the processes of mcpmux when mcpmux has ended. It needs no console. */
export function windowsGuard(
  environment: NodeJS.ProcessEnv,
  lists: readonly ProcessList[] = processLists(environment),
): GuardCommand {
  const { SystemRoot = 'C:\\Windows' } = environment;
  return {
    command: process.execPath,
    args: ['-e', GUARD_PROGRAM],
    // Windows locks the working directory of a process, and the guard outlives mcpmux briefly.
    cwd: SystemRoot,
    // With this variable, an Electron program runs as Node.js.
    env: { SystemRoot, ELECTRON_RUN_AS_NODE: '1', MCPMUX_GUARD_LISTS: JSON.stringify(lists) },
  };
}

/** Returns the programs that list processes, best first. PowerShell may be forbidden, and new systems lack `wmic`. */
function processLists(environment: NodeJS.ProcessEnv): readonly ProcessList[] {
  const shell = systemProgram(environment, 'WindowsPowerShell', 'v1.0', 'powershell.exe');
  const wmic = systemProgram(environment, 'wbem', 'wmic.exe');
  return [
    [shell, '-NoProfile', '-NonInteractive', '-Command', POWERSHELL_COMMAND],
    ...WMIC_COLUMNS.map((columns) => [wmic, 'process', 'get', columns] as const),
  ];
}
