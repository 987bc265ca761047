import { qualify } from '@mcpmux/namespace';

import type { Upstream } from '../../server/upstream.js';
import type { Caller } from './caller.js';

/** Sorts servers by how often their tools have been called, most often first. Without call counts, keeps the order. */
export function byUsage(upstreams: readonly Upstream[], { view, era, profile }: Caller): readonly Upstream[] {
  const selection = view.catalog.selectionFor?.({ era, client: profile?.name });
  if (selection?.callCountOf === undefined) return upstreams;
  const callTotals = new Map(
    upstreams.map((upstream) => {
      const callCounts = upstream.lists.tools.map(
        ({ key }) => selection.callCountOf?.(qualify(upstream.name, key)) ?? 0,
      );
      return [upstream, callCounts.reduce((sum, count) => sum + count, 0)] as const;
    }),
  );
  return upstreams.toSorted((one, other) => (callTotals.get(other) ?? 0) - (callTotals.get(one) ?? 0));
}
