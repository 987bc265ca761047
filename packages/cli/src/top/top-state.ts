import type { Usage } from '@mcpmux/dashboard';

import type { ClientStatus } from '@mcpmux/core';
import type { CallSummary } from '@mcpmux/dashboard';
import type { LogItem } from '../live/server-log.js';
import type { ServerState } from '../live/server-state.js';

/** The panels in the lower half of the screen. */
export const PANELS = ['logs', 'calls', 'tools', 'info', 'clients'] as const;
/** One of {@link PANELS}. */
export type Panel = (typeof PANELS)[number];

/** The number of lines and calls that are stored. */
export const KEPT = 1000;

/** A tool call. */
export interface CallItem {
  readonly time: number;
  readonly server: string;
  readonly tool: string;
  /** Distinguishes the calls of one mcpmux. */
  readonly call: number;
  /** Absent while the call is in flight. */
  readonly ms?: number;
  /** The way in which the call ended. Absent while it is in flight. */
  readonly ending?: string;
  /** The error text of the server, if the call has failed. */
  readonly problem?: string;
  /** The beginning of the arguments as JSON, without secrets. Only a bounded number of calls per second have it. */
  readonly arguments?: string;
}

/** The mode that decides what keys do. */
export type Mode = 'normal' | 'filter' | 'confirm-restart' | 'confirm-remove' | 'help';

/** Everything that the screen of `mcpmux top` shows. */
export interface TopState {
  readonly servers: readonly ServerState[];
  readonly summaries: Readonly<Record<string, CallSummary>>;
  /** The usage by process id. */
  readonly usages: ReadonlyMap<number, Usage>;
  /** The clients of the mcpmux. Undefined if its version does not list them. */
  readonly clients: readonly ClientStatus[] | undefined;
  readonly logs: readonly LogItem[];
  readonly calls: readonly CallItem[];
  /** The name of the chosen server. */
  readonly chosen: string | undefined;
  readonly panel: Panel;
  readonly mode: Mode;
  /** Text that a line must contain to be shown in the panel. */
  readonly filter: string;
  /** The number of lines scrolled up from the end. At 0, the panel follows new lines. */
  readonly scrolled: number;
  /** The result of the last command. */
  readonly message: string;
  /** The number of missed events, which came faster than they were read. */
  readonly missed: number;
}

/** The initial state. */
export const EMPTY: TopState = {
  servers: [],
  summaries: {},
  usages: new Map(),
  clients: undefined,
  logs: [],
  calls: [],
  chosen: undefined,
  panel: 'logs',
  mode: 'normal',
  filter: '',
  scrolled: 0,
  message: '',
  missed: 0,
};

/** An action that changes the state. */
export type TopAction =
  | {
      readonly type: 'servers';
      readonly servers: readonly ServerState[];
      readonly summaries: TopState['summaries'];
      readonly usages?: TopState['usages'];
      readonly clients?: TopState['clients'];
    }
  | { readonly type: 'log'; readonly items: readonly LogItem[] }
  | { readonly type: 'call'; readonly item: CallItem }
  | { readonly type: 'missed'; readonly count: number }
  | { readonly type: 'move'; readonly by: number }
  | { readonly type: 'scroll'; readonly by: number }
  | { readonly type: 'follow' }
  | { readonly type: 'panel'; readonly by: number }
  | { readonly type: 'mode'; readonly mode: Mode }
  | { readonly type: 'filter'; readonly text: string }
  | { readonly type: 'message'; readonly text: string };

/** Returns the state after an action. */
export function nextState(state: TopState, action: TopAction): TopState {
  switch (action.type) {
    case 'servers':
      return withServers(state, action);
    case 'log':
      return { ...state, logs: lastOf(state.logs.concat(action.items)) };
    case 'call':
      return { ...state, calls: withCall(state.calls, action.item) };
    case 'missed':
      return { ...state, missed: state.missed + action.count };
    case 'move':
      return { ...state, chosen: moved(state, action.by), scrolled: 0, message: '', mode: 'normal' };
    case 'scroll':
      return { ...state, scrolled: Math.max(0, state.scrolled + action.by) };
    case 'follow':
      return { ...state, scrolled: 0 };
    case 'panel': {
      const index = PANELS.indexOf(state.panel) + action.by + PANELS.length;
      return { ...state, panel: PANELS[index % PANELS.length] ?? 'logs', scrolled: 0 };
    }
    case 'mode':
      return { ...state, mode: action.mode };
    case 'filter':
      return { ...state, filter: action.text, scrolled: 0 };
    case 'message':
      return { ...state, message: action.text, mode: 'normal' };
  }
}

function withServers(
  state: TopState,
  { servers, summaries, usages = new Map(), clients }: Extract<TopAction, { readonly type: 'servers' }>,
): TopState {
  const isThere = servers.some(({ name }) => name === state.chosen);
  return { ...state, servers, summaries, usages, clients, chosen: isThere ? state.chosen : servers[0]?.name };
}

/** Adds the end of a call to its beginning, which has the arguments. */
function withCall(calls: readonly CallItem[], item: CallItem): readonly CallItem[] {
  const index = calls.findIndex(({ call }) => call === item.call);
  return index < 0 ? lastOf([...calls, item]) : calls.with(index, { ...calls[index], ...item });
}

function moved({ servers, chosen }: TopState, by: number): string | undefined {
  const index = servers.findIndex(({ name }) => name === chosen) + by;
  return servers[Math.min(Math.max(index, 0), servers.length - 1)]?.name;
}

function lastOf<Item>(items: readonly Item[]): readonly Item[] {
  return items.length > KEPT ? items.slice(-KEPT) : items;
}
