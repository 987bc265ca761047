import type { TopAction, TopState } from './top-state.js';

/** The effect of a key, which is an action on the state or a command. */
export type KeyOutcome =
  | TopAction
  | { readonly type: 'quit' }
  | { readonly type: 'restart' }
  | { readonly type: 'remove' };

/** The number of lines per page. */
const PAGE = 10;
const ENTER: ReadonlySet<string> = new Set(['\r', '\n']);
const BACKSPACE: ReadonlySet<string> = new Set(['\u007F', '\b']);
const ESCAPE = '\u001B';
const INTERRUPT = '\u0003';

const KEYS: ReadonlyMap<string, KeyOutcome> = new Map(
  Object.entries<KeyOutcome>({
    q: { type: 'quit' },
    [INTERRUPT]: { type: 'quit' },
    j: { type: 'move', by: 1 },
    k: { type: 'move', by: -1 },
    '\u001B[B': { type: 'move', by: 1 },
    '\u001B[A': { type: 'move', by: -1 },
    '\u001B[5~': { type: 'scroll', by: PAGE },
    '\u001B[6~': { type: 'scroll', by: -PAGE },
    '\t': { type: 'panel', by: 1 },
    '\u001B[C': { type: 'panel', by: 1 },
    '\u001B[Z': { type: 'panel', by: -1 },
    '\u001B[D': { type: 'panel', by: -1 },
    f: { type: 'follow' },
    r: { type: 'restart' },
    d: { type: 'mode', mode: 'confirm-remove' },
    '/': { type: 'mode', mode: 'filter' },
    '?': { type: 'mode', mode: 'help' },
    [ESCAPE]: { type: 'filter', text: '' },
  }),
);

/** Returns the effect of a key in the current mode, or undefined for a key without an effect. */
export function outcomeOf(key: string, state: TopState): KeyOutcome | undefined {
  const { mode, filter } = state;
  if (key === INTERRUPT) return { type: 'quit' };
  switch (mode) {
    case 'filter':
      return filterKey(key, filter);
    case 'confirm-remove':
      return key === 'd' ? { type: 'remove' } : { type: 'message', text: 'Not removed.' };
    case 'confirm-restart':
      return key === 'r' ? { type: 'restart' } : { type: 'message', text: 'Not restarted.' };
    case 'help':
      return key === 'q' ? { type: 'quit' } : { type: 'mode', mode: 'normal' };
    case 'normal':
      // A restart ends pending calls, so it needs a confirmation.
      return key === 'r' && isBusy(state) ? { type: 'mode', mode: 'confirm-restart' } : KEYS.get(key);
  }
}

function isBusy({ chosen = '', summaries }: TopState): boolean {
  return (summaries[chosen]?.running ?? 0) > 0;
}

/** Splits input into keys. Each escape sequence and each character is a key. */
export function keysOf(input: string): readonly string[] {
  // oxlint-disable-next-line no-control-regex -- the escape sequences of keys start with a control character
  return input.match(/\u001B\[[\d;]*[A-Za-z~]|[^]/gu) ?? [];
}

function filterKey(key: string, filter: string): KeyOutcome | undefined {
  if (ENTER.has(key)) return { type: 'mode', mode: 'normal' };
  if (key === ESCAPE) return { type: 'filter', text: '' };
  if (BACKSPACE.has(key)) return { type: 'filter', text: filter.slice(0, -1) };
  return /^\P{Cc}$/u.test(key) ? { type: 'filter', text: filter + key } : undefined;
}
