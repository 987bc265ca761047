import { readPage, type Definition } from './definition.js';
import type { EraVerdict } from '../config/era-verdicts.js';
import { isSessionTemplate, type ServerInLayer } from '../config/isolation.js';
import { LIST_KINDS, LISTS, type ListKind } from './list-kind.js';
import { NO_LISTS, type ServerLists } from './server-lists.js';

/** A server's stored lists, each with its entries as JSON text. */
export interface RememberedLists extends Readonly<Partial<Record<ListKind, readonly string[]>>> {
  /** The era in which to open the server first, if it has proved to support only that era. */
  readonly protocol?: EraVerdict;
  /** The number of calls per tool, by tool name. Present if the exposure `auto` counts them. */
  readonly uses?: Readonly<Record<string, number>>;
}

/** Converts a server's lists to a form that can be stored. */
export function toRememberedLists(lists: ServerLists): RememberedLists {
  return Object.fromEntries(
    LIST_KINDS.filter((kind) => lists[kind].length > 0).map((kind) => [
      kind,
      // The form that clients of both eras accept is stored.
      lists[kind].map(({ bytes, forOthers = { bytes } }) => forOthers.bytes.toString('utf8')),
    ]),
  );
}

/** Parses stored lists. A list with damaged text becomes empty. */
export function restoredLists(texts: RememberedLists = {}): ServerLists {
  const lists = LIST_KINDS.map((kind) => [kind, parseList(kind, texts[kind] ?? [])] as const);
  return { ...NO_LISTS, ...Object.fromEntries(lists) };
}

function parseList(kind: ListKind, texts: readonly string[]): readonly Definition[] {
  const line = Buffer.from(`{"${LISTS[kind].member}":[${texts.join(',')}]}`);
  try {
    return readPage(line, { start: 0, end: line.length }, LISTS[kind])?.items ?? [];
  } catch {
    return [];
  }
}

/**
 * Returns a server's current lists, before its filter is applied. Returns undefined for a server that is neither
 * running nor idle, and for a template whose instances have no lists.
 */
export function rememberedListsOf(
  server:
    | (ServerInLayer & {
        state: { kind: string };
        unfilteredLists: ServerLists;
        hasRunBefore: boolean;
        verdict?: EraVerdict | undefined;
      })
    | undefined,
): RememberedLists | undefined {
  if (server === undefined) return undefined;
  const { state, unfilteredLists: lists, hasRunBefore, verdict } = server;
  const isKnown = state.kind === 'running' || state.kind === 'idle';
  if (!isKnown || (!hasRunBefore && isSessionTemplate(server))) return undefined;
  return { ...toRememberedLists(lists), ...(verdict !== undefined && { protocol: verdict }) };
}
