import { z } from '../base/zod.js';
import type { TopAction } from './top-state.js';

const time = z.pipe(
  z.isoDatetime(),
  z.transform((text: string) => Date.parse(text)),
);
const call = { time, server: z.string(), tool: z.string(), call: z.number() };
const schema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('server:stderr'), time, server: z.string(), line: z.string() }),
  z.object({
    type: z.literal('server:state'),
    time,
    server: z.string(),
    status: z.string(),
    error: z.optional(z.string()),
  }),
  z.object({ type: z.literal('server:added'), time, server: z.string() }),
  z.object({ type: z.literal('server:removed'), time, server: z.string() }),
  z.object({ type: z.literal('call:start'), ...call }),
  z.object({ type: z.literal('call:end'), ...call, ms: z.number(), ending: z.string() }),
]);

/** What a line of the event stream changes; undefined for events that nothing shows, also those of later versions. */
export function actionOf(line: string): TopAction | undefined {
  const event = schema.safeParse(parsed(line)).data;
  if (event === undefined) return undefined;
  switch (event.type) {
    case 'server:stderr':
      return log(event, event.line, false);
    case 'server:state':
      return log(event, event.error ?? `server ${event.status}`, true);
    case 'server:added':
      return log(event, 'server added', true);
    case 'server:removed':
      return log(event, 'server removed', true);
    case 'call:start':
    case 'call:end': {
      const { type: _, ...item } = event;
      return { type: 'call', item };
    }
  }
}

function log(
  { time: at, server }: { readonly time: number; readonly server: string },
  text: string,
  isEvent: boolean,
): TopAction {
  return { type: 'log', items: [{ time: at, server, text, isEvent }] };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
