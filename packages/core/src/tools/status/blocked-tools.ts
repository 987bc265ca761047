import { quote } from '@mcpmux/kit';
import type { PinReason } from '../../server/lists/tool-pins.js';
import type { Upstream } from '../../server/upstream.js';

/** Maximum number of tools named in a note. */
const MAX_NAMED = 20;

/** Returns the tools of a server that cannot be used until they are approved, with the reasons. */
export function blockedTools(upstream: Upstream): readonly (readonly [string, PinReason])[] {
  return upstream.tools.flatMap(({ key }): (readonly [string, PinReason])[] => {
    const reason = upstream.offer.blocked.get(key);
    return reason === undefined ? [] : [[key, reason]];
  });
}

/** Returns a sentence about {@link blockedTools}. */
export function blockedNote(blocked: readonly (readonly [string, PinReason])[]): string {
  const names = blocked.slice(0, MAX_NAMED).map(([tool, reason]) => `${quote(tool)} (${reason})`);
  const more = blocked.length > MAX_NAMED ? ` and ${blocked.length - MAX_NAMED} more` : '';
  return `Blocked until approved, because they differ from the approved tools: ${names.join(', ')}${more}.`;
}
