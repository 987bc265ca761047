import type { Usage } from '@mcpmux/dashboard';

import type { ClientStatus } from '@mcpmux/core';
import type { CallSummary } from '@mcpmux/dashboard';
import type { LogItem } from '../live/server-log.js';
import type { ServerState } from '../live/server-state.js';

/** The panels in the lower half of the screen. */
export const PANELS = ['logs', 'calls', 'tools', 'info', 'clients'] as const;
/** The name of a panel. */
export type PanelName = (typeof PANELS)[number];

/** The maximum number of log lines in the state. The same limit applies to calls. */
export const MAX_ITEMS = 1000;

/** A pending or completed tool call. */
export interface CallItem {
  readonly time: number;
  readonly server: string;
  readonly tool: string;
  /** The call's number, unique within the mcpmux instance. */
  readonly call: number;
  /** The duration in milliseconds. Absent while the call is pending. */
  readonly ms?: number;
  /** The outcome of the call. Absent while the call is pending. */
  readonly ending?: string;
  /** The first line of the server's error text, if the call has failed. */
  readonly problem?: string;
  /** The beginning of the arguments as JSON, without secrets. mcpmux omits it for calls above a rate limit. */
  readonly arguments?: string;
}

/** The input mode, which determines what each key does. */
export type InputMode = 'normal' | 'filter' | 'confirm-restart' | 'confirm-remove' | 'help';

/** The state of the `mcpmux top` screen. */
export interface TopState {
  readonly servers: readonly ServerState[];
  readonly summaries: Readonly<Record<string, CallSummary>>;
  /** The resource usage by process id. */
  readonly usageByPid: ReadonlyMap<number, Usage>;
  /** The clients of the mcpmux. Undefined before the first refresh. */
  readonly clients: readonly ClientStatus[] | undefined;
  readonly logs: readonly LogItem[];
  readonly calls: readonly CallItem[];
  /** The selected server's name. Undefined if there are no servers. */
  readonly selectedName: string | undefined;
  readonly panel: PanelName;
  readonly mode: InputMode;
  /** The panel shows only lines that contain this text, regardless of case. */
  readonly filter: string;
  /** How many lines the panel is scrolled up from the end. At 0, it follows new lines. */
  readonly linesUp: number;
  /** The progress or result of the last command. Empty if there is none. */
  readonly message: string;
  /** The number of events lost because `mcpmux top` read them too slowly. */
  readonly missedCount: number;
}

/** The state before the first refresh. */
export const INITIAL_STATE: TopState = {
  servers: [],
  summaries: {},
  usageByPid: new Map(),
  clients: undefined,
  logs: [],
  calls: [],
  selectedName: undefined,
  panel: 'logs',
  mode: 'normal',
  filter: '',
  linesUp: 0,
  message: '',
  missedCount: 0,
};

/** An action that changes the state. */
export type TopAction =
  | {
      readonly type: 'servers';
      readonly servers: readonly ServerState[];
      readonly summaries: TopState['summaries'];
      readonly usageByPid?: TopState['usageByPid'];
      readonly clients?: TopState['clients'];
    }
  | { readonly type: 'log'; readonly items: readonly LogItem[] }
  | { readonly type: 'call'; readonly item: CallItem }
  | { readonly type: 'missed'; readonly count: number }
  | { readonly type: 'move'; readonly by: number }
  | { readonly type: 'scroll'; readonly by: number }
  | { readonly type: 'follow' }
  | { readonly type: 'panel'; readonly by: number }
  | { readonly type: 'mode'; readonly mode: InputMode }
  | { readonly type: 'filter'; readonly text: string }
  | { readonly type: 'message'; readonly text: string };

/** Returns the state after an action. */
export function nextState(state: TopState, action: TopAction): TopState {
  switch (action.type) {
    case 'servers':
      return withServers(state, action);
    case 'log':
      return { ...state, logs: lastItems(state.logs.concat(action.items)) };
    case 'call':
      return { ...state, calls: withCall(state.calls, action.item) };
    case 'missed':
      return { ...state, missedCount: state.missedCount + action.count };
    case 'move':
      return {
        ...state,
        selectedName: movedSelection(state, action.by),
        linesUp: 0,
        message: '',
        mode: 'normal',
      };
    case 'scroll':
      return { ...state, linesUp: Math.max(0, state.linesUp + action.by) };
    case 'follow':
      return { ...state, linesUp: 0 };
    case 'panel': {
      const index = PANELS.indexOf(state.panel) + action.by + PANELS.length;
      return { ...state, panel: PANELS[index % PANELS.length] ?? 'logs', linesUp: 0 };
    }
    case 'mode':
      return { ...state, mode: action.mode };
    case 'filter':
      return { ...state, filter: action.text, linesUp: 0 };
    case 'message':
      return { ...state, message: action.text, mode: 'normal' };
  }
}

function withServers(
  state: TopState,
  { servers, summaries, usageByPid = new Map(), clients }: Extract<TopAction, { readonly type: 'servers' }>,
): TopState {
  const isListed = servers.some(({ name }) => name === state.selectedName);
  return {
    ...state,
    servers,
    summaries,
    usageByPid,
    clients,
    selectedName: isListed ? state.selectedName : servers[0]?.name,
  };
}

/** Merges a call's end event into its start event, because only the start event contains the arguments. */
function withCall(calls: readonly CallItem[], item: CallItem): readonly CallItem[] {
  const index = calls.findIndex(({ call }) => call === item.call);
  return index < 0 ? lastItems([...calls, item]) : calls.with(index, { ...calls[index], ...item });
}

function movedSelection({ servers, selectedName }: TopState, by: number): string | undefined {
  const index = servers.findIndex(({ name }) => name === selectedName) + by;
  return servers[Math.min(Math.max(index, 0), servers.length - 1)]?.name;
}

function lastItems<Item>(items: readonly Item[]): readonly Item[] {
  return items.length > MAX_ITEMS ? items.slice(-MAX_ITEMS) : items;
}
