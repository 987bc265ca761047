import { get, isUnauthorized, lines, logIn, type Json } from './connection.js';
import { Heartbeat } from './heartbeat.js';
import type { Action, Call } from './model.js';
import type { Overview } from '../src/data/overview-shown.js';
import { oneAtATime } from './one-at-a-time.js';
import { isStored, storedLog, type StoredLog } from './stored-log.js';

const REFRESH_MS = 2000;
const FIRST_AGAIN_MS = 500;
const LAST_AGAIN_MS = 8000;
/** The timeout of an overview. */
const OVERVIEW_MS = 10_000;

type Dispatch = (action: Action) => void;

/** The last event and call that the page has read, as numbers from mcpmux. The page requests later events and calls. */
interface Place {
  readonly event: number;
  readonly calls?: string;
}

/** The dependencies of a page that follows mcpmux. */
interface Following {
  readonly log: StoredLog;
  readonly heartbeatMs: number;
  readonly dispatch: Dispatch;
  /** Requests the overview again soon. */
  readonly refreshed: () => void;
}

/** Follows the mcpmux that serves the page until it refuses, and reconnects after interruptions. */
export async function follow(dispatch: Dispatch): Promise<void> {
  try {
    const { servers, mcpmux } = await opened(dispatch);
    const log = await storedLog(servers, Date.now());
    dispatch({ type: 'log', log: log.lines });
    const refreshed = oneAtATime(() => refresh(dispatch, AbortSignal.timeout(OVERVIEW_MS)));
    const refreshing = setInterval(refreshed, REFRESH_MS);
    const following = { log, heartbeatMs: mcpmux.heartbeatMs, dispatch, refreshed };
    await followed({ event: mcpmux.lastEvent }, following).finally(() => clearInterval(refreshing));
  } catch (error) {
    dispatch({ type: 'refused', problem: error instanceof Error ? error.message : String(error) });
  }
}

/** Requests the overview again. */
export async function refresh(dispatch: Dispatch, signal?: AbortSignal): Promise<Overview> {
  const asOf = Date.now();
  const overview = await get<Overview>('overview', signal);
  dispatch({ type: 'overview', overview, asOf });
  return overview;
}

/** Returns the time that the page waits before its next try after `tries` failed tries, in milliseconds. */
export function waitBefore(tries: number): number {
  return Math.min(LAST_AGAIN_MS, FIRST_AGAIN_MS * 2 ** tries);
}

/** Opens the page. A link that was already used still opens the page if the browser has a session. */
async function opened(dispatch: Dispatch): Promise<Overview> {
  const refusal = await logIn();
  try {
    return await refresh(dispatch);
  } catch (error) {
    throw refusal !== undefined && isUnauthorized(error) ? refusal : error;
  }
}

/** @throws RequestError when mcpmux no longer knows this browser */
async function followed(from: Place, following: Following): Promise<never> {
  let place = from;
  for (let tries = 0; ; tries += 1) {
    const heartbeat = new Heartbeat(following.heartbeatMs);
    try {
      for await (const batch of lines(eventsAfter(place), undefined, heartbeat.signal, heartbeat.heard)) {
        place = batch['at'] as Place;
        tries = 0;
        reported(batch, following);
      }
    } catch (error) {
      if (isUnauthorized(error)) throw error;
    } finally {
      heartbeat.stop();
    }
    const isSilent = heartbeat.signal.aborted;
    following.dispatch({ type: 'interrupted', since: heartbeat.heardAt, isSilent });
    // The heartbeat limit has already passed, so the delay starts again, and the page reconnects as soon as the process
    // continues.
    if (isSilent) tries = 0;
    await new Promise((resolve) => setTimeout(resolve, waitBefore(tries)));
  }
}

function eventsAfter({ event, calls }: Place): string {
  return `events?after=${event}${calls === undefined ? '' : `&calls=${calls}`}`;
}

/** Dispatches the news in one line. */
function reported(
  { events: all, calls, missed, unlisted, isLost }: Json,
  { log, dispatch, refreshed }: Following,
): void {
  const events = (all as readonly Json[]).filter((event) => !isStored(event, log));
  const counts = { missed: Number(missed), unlisted: Number(unlisted), isLost: isLost === true };
  dispatch({ type: 'batch', events, calls: calls as readonly Call[], ...counts });
  if (events.some(({ type }) => type !== 'server:stderr' && type !== 'server:stdout')) refreshed();
}
