import type { Program } from './wire.js';
import type { RuleName } from './rules/rules.js';
import type { SurfaceClient } from './surface-client.js';

/** One thing that a client does, and the rules that explain what is different through mcpmux. */
export interface Step<C = SurfaceClient> {
  /** The row of the requirements that it shows. */
  readonly row: string;
  readonly method: string;
  /** A rule in the present tense. */
  readonly does: string;
  readonly rules?: readonly RuleName[];
  /** Milliseconds until it counts as hanging; 4000 by default. */
  readonly deadline?: number;
  run(client: C): Promise<unknown>;
}

/** A server and what a client does with it. */
export interface Script<C = SurfaceClient> {
  readonly server: string;
  readonly program: Program;
  /** Where mcpmux reaches the server instead, over HTTP. */
  readonly url?: string;
  /** How mcpmux speaks to the server; by default it finds out. */
  readonly protocol?: 'legacy' | 'modern';
  /** A cheap tool of the server, without side effects. */
  readonly fence: { readonly tool: string; readonly args: object };
  /** The first one connects. */
  readonly steps: readonly Step<C>[];
}
