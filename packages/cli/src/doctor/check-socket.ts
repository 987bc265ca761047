import { ok, warning, type Finding } from './finding.js';

/** The state of the folder where mcpmux instances announce themselves. */
export interface SocketCheck {
  readonly folder: string;
  /** The reason why mcpmux cannot listen on a socket in the folder. */
  readonly problem?: string | undefined;
  /** The process ids of announced instances that do not respond. */
  readonly silentPids: readonly number[];
}

/** Checks whether commands such as `mcpmux list` can reach a running mcpmux. */
export function checkSocket({ folder, problem, silentPids }: SocketCheck): readonly Finding[] {
  const unreachable = `commands cannot reach a running mcpmux: ${problem}`;
  return [
    problem === undefined
      ? ok('socket', folder)
      : warning('socket', unreachable, 'set MCPMUX_RUNTIME_DIR to a folder of your own'),
    ...silentPids.map((pid) =>
      warning('socket', `the mcpmux with pid ${pid} does not answer`, `if it hangs, end it: kill ${pid}`),
    ),
  ];
}
