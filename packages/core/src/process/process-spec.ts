export type { ProcessSpec } from '@mcpmux/programs';

/** The exit status of a process. Exactly one of the two fields is null. */
export interface ProcessExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}
