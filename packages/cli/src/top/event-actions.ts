import type { JsonObject } from '@mcpmux/clients';

import { z } from '../base/zod.js';
import { logItemOf, missedEventCount } from '../live/server-log.js';
import type { TopAction } from './top-state.js';

const LOGGED_TYPES: ReadonlySet<unknown> = new Set([
  'server:stderr',
  'server:stdout',
  'server:state',
  'server:added',
  'server:removed',
]);
const callEventSchema = z.object({
  type: z.enum(['call:start', 'call:end']),
  time: z.pipe(
    z.isoDatetime(),
    z.transform((text: string) => Date.parse(text)),
  ),
  server: z.string(),
  tool: z.string(),
  call: z.number(),
  ms: z.exactOptional(z.number()),
  ending: z.exactOptional(z.string()),
  problem: z.exactOptional(z.string()),
  arguments: z.exactOptional(z.string()),
});

/** Converts an event to an action. Returns undefined for events that the screen does not show. */
export function actionOf(event: JsonObject): TopAction | undefined {
  if (LOGGED_TYPES.has(event['type'])) {
    const logItem = logItemOf(event);
    return logItem && { type: 'log', items: [logItem] };
  }
  const missedCount = missedEventCount(event);
  if (missedCount > 0) return { type: 'missed', count: missedCount };
  const { data } = callEventSchema.safeParse(event);
  if (data === undefined) return undefined;
  const { type: _, ...item } = data;
  return { type: 'call', item };
}
