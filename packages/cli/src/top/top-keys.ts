import type { TopAction, TopState } from './top-state.js';

/** The effect of a key: an action on the state, or a command. */
export type KeyOutcome =
  | TopAction
  | { readonly type: 'quit' }
  | { readonly type: 'restart' }
  | { readonly type: 'remove' };

/** The number of lines that Page Up or Page Down scrolls. */
const PAGE_LINES = 10;
const ENTER_KEYS: ReadonlySet<string> = new Set(['\r', '\n']);
const BACKSPACE_KEYS: ReadonlySet<string> = new Set(['\u007F', '\b']);
const ESCAPE = '\u001B';
const CTRL_C = '\u0003';

const NORMAL_MODE_KEYS: ReadonlyMap<string, KeyOutcome> = new Map(
  Object.entries<KeyOutcome>({
    q: { type: 'quit' },
    [CTRL_C]: { type: 'quit' },
    j: { type: 'move', by: 1 },
    k: { type: 'move', by: -1 },
    '\u001B[B': { type: 'move', by: 1 },
    '\u001B[A': { type: 'move', by: -1 },
    '\u001B[5~': { type: 'scroll', by: PAGE_LINES },
    '\u001B[6~': { type: 'scroll', by: -PAGE_LINES },
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

/** Returns the effect of a key in the current mode, or undefined if the key has none. */
export function outcomeOfKey(key: string, state: TopState): KeyOutcome | undefined {
  const { mode, filter } = state;
  if (key === CTRL_C) return { type: 'quit' };
  switch (mode) {
    case 'filter':
      return outcomeInFilterMode(key, filter);
    case 'confirm-remove':
      return key === 'd' ? { type: 'remove' } : { type: 'message', text: 'Not removed.' };
    case 'confirm-restart':
      return key === 'r' ? { type: 'restart' } : { type: 'message', text: 'Not restarted.' };
    case 'help':
      return key === 'q' ? { type: 'quit' } : { type: 'mode', mode: 'normal' };
    case 'normal':
      // A restart aborts pending calls, so the user must confirm it.
      return key === 'r' && hasPendingCalls(state)
        ? { type: 'mode', mode: 'confirm-restart' }
        : NORMAL_MODE_KEYS.get(key);
  }
}

function hasPendingCalls({ selectedName = '', summaries }: TopState): boolean {
  return (summaries[selectedName]?.running ?? 0) > 0;
}

/** Splits terminal input into keys. A key is an escape sequence or a single character. */
export function splitKeys(input: string): readonly string[] {
  // oxlint-disable-next-line no-control-regex -- the escape sequences of keys start with a control character
  return input.match(/\u001B\[[\d;]*[A-Za-z~]|[^]/gu) ?? [];
}

function outcomeInFilterMode(key: string, filter: string): KeyOutcome | undefined {
  if (ENTER_KEYS.has(key)) return { type: 'mode', mode: 'normal' };
  if (key === ESCAPE) return { type: 'filter', text: '' };
  if (BACKSPACE_KEYS.has(key)) return { type: 'filter', text: filter.slice(0, -1) };
  return /^\P{Cc}$/u.test(key) ? { type: 'filter', text: filter + key } : undefined;
}
