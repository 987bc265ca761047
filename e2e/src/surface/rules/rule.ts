import type { Pair } from '../outcome.js';

/** One written difference between a server alone and the same server behind mcpmux. */
export interface Rule {
  readonly name: string;
  /** One sentence for the feature matrix. */
  readonly title: string;
  /**
   * It makes something vary from run to run, or applies only now and then: a step that names the rule may turn out
   * not to need it.
   */
  readonly isChance?: true;
  /** Takes this one difference, and no other, out of the pair. */
  apply(pair: Pair, server: string): Pair;
}
