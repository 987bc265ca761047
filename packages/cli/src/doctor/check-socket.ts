import { ok, warning, type Finding } from './finding.js';

/** Where instances of mcpmux are reached, as it was found. */
export interface SocketCheck {
  readonly folder: string;
  /** Why no mcpmux can listen there. */
  readonly problem?: string | undefined;
  /** Process ids of those that are announced there and do not answer. */
  readonly silent: readonly number[];
}

/** Whether commands such as `mcpmux list` can reach a mcpmux that runs. */
export function checkSocket({ folder, problem, silent }: SocketCheck): readonly Finding[] {
  const unreachable = `commands cannot reach a mcpmux that runs: ${problem}`;
  return [
    problem === undefined
      ? ok('socket', folder)
      : warning('socket', unreachable, 'name a folder of your own in MCPMUX_RUNTIME_DIR'),
    ...silent.map((pid) =>
      warning('socket', `the mcpmux with pid ${pid} does not answer`, `if it hangs, end it: kill ${pid}`),
    ),
  ];
}
