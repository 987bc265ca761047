import { get, lines, logIn, RequestError, type Json } from './connection.js';
import { layerQuery } from './layers.js';
import { logLine, type Action, type Call, type LogLine, type Overview } from './model.js';

const REFRESH_MS = 2000;
const AGAIN_MS = 2000;

/** Follows the mcpmux behind the page until it refuses, and comes back after interruptions. */
export async function follow(dispatch: (action: Action) => void): Promise<void> {
  try {
    await logIn();
    const overview = await refresh(dispatch);
    dispatch({ type: 'log', log: await pastOf(overview) });
    setInterval(() => void refresh(dispatch).catch(() => undefined), REFRESH_MS);
  } catch (error) {
    return refused(error, dispatch);
  }
  let after: number | undefined;
  for (;;) {
    try {
      for await (const batch of lines(after === undefined ? 'events' : `events?after=${after}`)) {
        after = told(batch, after, dispatch);
      }
    } catch (error) {
      if (error instanceof RequestError && error.status === 401) return refused(error, dispatch);
    }
    dispatch({ type: 'interrupted' });
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** Reads the overview again. */
export async function refresh(dispatch: (action: Action) => void): Promise<Overview> {
  const asOf = Date.now();
  const overview = await get<Overview>('overview');
  dispatch({ type: 'overview', overview, asOf });
  return overview;
}

/** Dispatches what one line tells. Returns the number of the last event. */
function told(
  { events, calls, missed, unlisted }: Json,
  after: number | undefined,
  dispatch: (action: Action) => void,
): number | undefined {
  const all = events as readonly Json[];
  const counts = { missed: Number(missed), unlisted: Number(unlisted) };
  dispatch({ type: 'batch', events: all, calls: calls as readonly Call[], ...counts });
  if (all.some(({ type }) => type !== 'server:stderr' && type !== 'server:stdout'))
    void refresh(dispatch).catch(() => undefined);
  const last = all.at(-1)?.['sequence'];
  return typeof last === 'number' ? last : after;
}

async function pastOf({ servers }: Overview): Promise<readonly LogLine[]> {
  const now = Date.now();
  const logs = await Promise.all(
    servers.slice(0, 50).map(async ({ name, layer }) => {
      const { entries } = await get<{ readonly entries: readonly Json[] }>(
        `log?server=${encodeURIComponent(name)}&${layerQuery(layer)}`,
      );
      return entries.map(({ seconds_ago: ago, text, kind }) =>
        logLine({
          time: now - Number(ago) * 1000,
          server: name,
          text: String(text),
          kind: kind as LogLine['kind'],
        }),
      );
    }),
  );
  return logs.flat().toSorted((a, b) => a.time - b.time);
}

function refused(error: unknown, dispatch: (action: Action) => void): void {
  dispatch({ type: 'refused', problem: error instanceof Error ? error.message : String(error) });
}
