import { type Clock, type Limits, waitAtMost } from '@mcpmux/kit';
import type { StartingServers } from '../../catalog/starting-servers.js';
import type { ListHabit } from '../../server/dialect/client-habits.js';
import type { CallerView } from '../caller/caller-view.js';

/** The dependencies of {@link firstList}. */
export interface FirstListParts {
  readonly clock: Clock;
  readonly limits: Pick<Limits, 'firstListMs'>;
  readonly starting: Pick<StartingServers, 'settled'>;
  /** True if the first list of tools waits for the servers; when absent, for clients that do not notice later tools. */
  readonly waitForServers?: boolean | undefined;
}

/** Resolves when the first list of tools of a client can be answered; undefined if it can be now. */
export function firstList(
  habit: ListHabit | undefined,
  view: Pick<CallerView, 'sees'>,
  { waitForServers, starting, limits, clock }: FirstListParts,
): Promise<unknown> | undefined {
  if (!(waitForServers ?? habit === 'ignores')) return undefined;
  const settled = starting.settled(view.sees);
  return settled && waitAtMost(limits.firstListMs, settled, clock);
}
