import { qualify } from '@mcpmux/namespace';

import type { Upstream } from '../../server/upstream.js';
import type { Caller } from './caller.js';

/**
 * Returns the servers sorted by the number of calls to their tools, highest first. Keeps the order if there are no
 * counts.
 */
export function byUsage(upstreams: readonly Upstream[], { view, era, profile }: Caller): readonly Upstream[] {
  const selection = view.catalog.selection?.({ era, client: profile?.name });
  if (selection?.usesOf === undefined) return upstreams;
  const uses = new Map(
    upstreams.map((upstream) => {
      const counts = upstream.lists.tools.map(
        ({ key }) => selection.usesOf?.(qualify(upstream.name, key)) ?? 0,
      );
      return [upstream, counts.reduce((sum, count) => sum + count, 0)] as const;
    }),
  );
  return upstreams.toSorted((one, other) => (uses.get(other) ?? 0) - (uses.get(one) ?? 0));
}
