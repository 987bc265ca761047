import { get, isUnauthorized, lines, logIn, type Json } from './connection.js';
import type { Action, Call, Overview } from './model.js';
import { isStored, storedLog, type StoredLog } from './stored-log.js';

const REFRESH_MS = 2000;
const FIRST_AGAIN_MS = 500;
const LAST_AGAIN_MS = 8000;

type Dispatch = (action: Action) => void;

/** What the page has read, as the mcpmux behind it counts. The page asks for what follows. */
interface Place {
  readonly event: number;
  readonly calls?: string;
}

/** Follows the mcpmux behind the page until it refuses, and comes back after interruptions. */
export async function follow(dispatch: Dispatch): Promise<void> {
  try {
    const overview = await opened(dispatch);
    const log = await storedLog(overview.servers, Date.now());
    dispatch({ type: 'log', log: log.lines });
    const refreshing = setInterval(() => void refreshed(dispatch), REFRESH_MS);
    await followed({ event: overview.mcpmux.lastEvent }, log, dispatch).finally(() =>
      clearInterval(refreshing),
    );
  } catch (error) {
    dispatch({ type: 'refused', problem: error instanceof Error ? error.message : String(error) });
  }
}

/** Reads the overview again. */
export async function refresh(dispatch: Dispatch): Promise<Overview> {
  const asOf = Date.now();
  const overview = await get<Overview>('overview');
  dispatch({ type: 'overview', overview, asOf });
  return overview;
}

/** How long the page waits before it tries again for the time after `tries`, in milliseconds. */
export function waitBefore(tries: number): number {
  return Math.min(LAST_AGAIN_MS, FIRST_AGAIN_MS * 2 ** tries);
}

/** A link that was used already opens the page where the browser has a session. */
async function opened(dispatch: Dispatch): Promise<Overview> {
  const refusal = await logIn();
  try {
    return await refresh(dispatch);
  } catch (error) {
    throw refusal !== undefined && isUnauthorized(error) ? refusal : error;
  }
}

/** @throws RequestError once mcpmux does not know this browser any more */
async function followed(from: Place, log: StoredLog, dispatch: Dispatch): Promise<never> {
  let place = from;
  for (let tries = 0; ; tries += 1) {
    try {
      for await (const batch of lines(eventsAfter(place))) {
        place = batch['at'] as Place;
        tries = 0;
        told(batch, log, dispatch);
      }
    } catch (error) {
      if (isUnauthorized(error)) throw error;
    }
    dispatch({ type: 'interrupted', at: Date.now() });
    await new Promise((resolve) => setTimeout(resolve, waitBefore(tries)));
  }
}

function eventsAfter({ event, calls }: Place): string {
  return `events?after=${event}${calls === undefined ? '' : `&calls=${calls}`}`;
}

/** Dispatches what one line tells. */
function told(
  { events: all, calls, missed, unlisted, isLost }: Json,
  log: StoredLog,
  dispatch: Dispatch,
): void {
  const events = (all as readonly Json[]).filter((event) => !isStored(event, log));
  const counts = { missed: Number(missed), unlisted: Number(unlisted), isLost: isLost === true };
  dispatch({ type: 'batch', events, calls: calls as readonly Call[], ...counts });
  if (events.some(({ type }) => type !== 'server:stderr' && type !== 'server:stdout'))
    void refreshed(dispatch);
}

async function refreshed(dispatch: Dispatch): Promise<void> {
  await refresh(dispatch).catch(() => undefined);
}
