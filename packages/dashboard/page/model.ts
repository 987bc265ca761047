import { hasFailed, UNKNOWN_ENDING, type CallRecord } from '../src/data/call-record.js';
import type { Json } from './connection.js';
import { NO_HISTORY, rateOf, withOverview, type History } from './history.js';
import type { Overview } from '../src/data/overview-shown.js';

/** A tool call. */
export type Call = CallRecord;

/** A line in the log. */
export interface LogLine {
  readonly id: number;
  readonly time: number;
  readonly server: string;
  /** The layer of the server. Absent for a server of all clients. */
  readonly layer?: string;
  readonly text: string;
  readonly kind: 'event' | 'stderr' | 'stdout';
  /** The number of the event. Absent for a line from before the page was opened. */
  readonly sequence?: number;
}

/** A time without a connection to mcpmux. */
export interface Interruption {
  /** The time of the last data from mcpmux. */
  readonly since: number;
  /** True if mcpmux keeps the connection but sends nothing. Its process is then stopped or busy. */
  readonly isSilent: boolean;
}

/** The state of the page. */
export interface State {
  readonly phase: 'opening' | 'open' | 'interrupted' | 'refused';
  /** The reason why the page is refused. */
  readonly problem?: string;
  /** Absent while the page follows its mcpmux. */
  readonly interruption?: Interruption | undefined;
  readonly overview?: Overview;
  /** The time at which the overview was requested. */
  readonly asOf: number;
  readonly calls: ReadonlyMap<number, Call>;
  readonly log: readonly LogLine[];
  readonly missed: number;
  /** Calls that mcpmux counted but did not list. */
  readonly unlisted: number;
  /** True if calls were lost while the page was interrupted. */
  readonly hasLostCalls: boolean;
  /** Calls per second in the last seconds. */
  readonly rate: number;
  readonly history: History;
  /** The number of changes to the merged lists. */
  readonly lists: number;
}

/** A change to the state. */
export type Action =
  | { readonly type: 'overview'; readonly overview: Overview; readonly asOf: number }
  | { readonly type: 'log'; readonly log: readonly LogLine[] }
  | {
      readonly type: 'batch';
      readonly events: readonly Json[];
      readonly calls: readonly Call[];
      readonly missed: number;
      readonly unlisted: number;
      /** True if calls since the previous batch are lost. The page gets the stored calls again. */
      readonly isLost: boolean;
    }
  | ({ readonly type: 'interrupted' } & Interruption)
  | { readonly type: 'refused'; readonly problem: string };

/** The initial state. */
export const EMPTY: State = {
  phase: 'opening',
  asOf: 0,
  calls: new Map(),
  log: [],
  missed: 0,
  unlisted: 0,
  hasLostCalls: false,
  rate: 0,
  history: NO_HISTORY,
  lists: 0,
};

const MAX_CALLS = 500;
/** The last failed calls remain while later calls succeed. */
const MAX_FAILED = 100;
/** The maximum number of log lines of all servers together on the page. */
export const MAX_LOG = 1000;

/** Returns the state after an action. */
export function next(state: State, action: Action): State {
  switch (action.type) {
    case 'overview':
      return withState(state, action);
    case 'log':
      return { ...state, log: [...action.log, ...state.log].slice(-MAX_LOG) };
    case 'interrupted':
      return { ...state, phase: 'interrupted', interruption: withInterruption(state, action) };
    case 'refused':
      return { ...state, phase: 'refused', problem: action.problem };
    case 'batch':
      return withBatch(state, action);
  }
}

/** Returns an interruption that began with the first failed try. The last try decides whether mcpmux is silent. */
function withInterruption({ interruption }: State, { since, isSilent }: Interruption): Interruption {
  return { since: interruption?.since ?? since, isSilent };
}

function withState(state: State, { overview, asOf }: Extract<Action, { type: 'overview' }>): State {
  const history = withOverview(state.history, state.overview, overview);
  return {
    ...state,
    phase: state.phase === 'opening' ? 'open' : state.phase,
    overview,
    asOf,
    history,
    rate: rateOf(history, overview.mcpmux.uptimeSeconds),
  };
}

function withBatch(state: State, batch: Extract<Action, { type: 'batch' }>): State {
  const { events, calls, missed, unlisted, isLost } = batch;
  const log = events.flatMap(lineOf);
  const hasLists = events.some(({ type }) => type === 'catalog:changed');
  return {
    ...state,
    phase: 'open',
    interruption: undefined,
    hasLostCalls: state.hasLostCalls || isLost,
    calls: isLost || calls.length > 0 ? withCalls(state.calls, calls, isLost) : state.calls,
    log: log.length === 0 ? state.log : [...state.log, ...log].slice(-MAX_LOG),
    missed: state.missed + missed,
    unlisted: state.unlisted + unlisted,
    lists: state.lists + (hasLists ? 1 : 0),
  };
}

/** Returns the calls in order. If calls were lost, the ends of open calls are no longer known. */
function withCalls(before: State['calls'], changed: readonly Call[], isLost: boolean): State['calls'] {
  const calls = new Map(isLost ? [...before].map(([number, call]) => [number, endedUnseen(call)]) : before);
  const last = [...before.keys()].at(-1) ?? 0;
  let isInOrder = true;
  let latest = last;
  for (const call of changed) {
    isInOrder &&= calls.has(call.call) || call.call > latest;
    latest = Math.max(latest, call.call);
    calls.set(call.call, call);
  }
  return bounded(isInOrder ? [...calls] : [...calls].toSorted(([one], [other]) => one - other));
}

/** Returns the latest calls, and the last failed calls before them. */
function bounded(calls: readonly (readonly [number, Call])[]): State['calls'] {
  const more = calls.length - MAX_CALLS;
  if (more <= 0) return new Map(calls);
  const failed = new Set(calls.filter(([, call]) => hasFailed(call)).slice(-MAX_FAILED));
  const others = new Set(calls.filter((entry) => !failed.has(entry)).slice(0, more));
  return new Map(calls.filter((entry) => !others.has(entry)));
}

function endedUnseen(call: Call): Call {
  return call.ending === undefined ? { ...call, ending: UNKNOWN_ENDING } : call;
}

let lastLine = 0;

/** Returns a log line with a unique number. */
export function logLine(line: Omit<LogLine, 'id'>): LogLine {
  lastLine += 1;
  return { id: lastLine, ...line };
}

function lineOf({ type, time, server, layer, line, status, error, sequence }: Json): readonly LogLine[] {
  if (typeof server !== 'string' || typeof time !== 'number') return [];
  const number = typeof sequence === 'number' && { sequence };
  const about = { time, server, ...(typeof layer === 'string' && { layer }), ...number };
  if (type === 'server:stderr' || type === 'server:stdout')
    return [logLine({ ...about, kind: type === 'server:stderr' ? 'stderr' : 'stdout', text: String(line) })];
  if (type === 'server:state') {
    const text = typeof error === 'string' ? error : `server ${String(status)}`;
    return [logLine({ ...about, kind: 'event', text })];
  }
  const isOwn = type === 'server:added' || type === 'server:removed';
  return isOwn ? [logLine({ ...about, kind: 'event', text: type.replace(':', ' ') })] : [];
}
