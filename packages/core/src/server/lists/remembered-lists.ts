import { readPage, type Definition } from './definition.js';
import type { EraVerdict } from '../config/era-verdicts.js';
import { isSessionTemplate, type Placed } from '../config/isolation.js';
import { LIST_KINDS, LISTS, type ListKind } from './list-kind.js';
import { NO_LISTS, type ServerLists } from './server-lists.js';

/** The stored lists of a server. Each list contains its entries as JSON text. */
export interface RememberedLists extends Readonly<Partial<Record<ListKind, readonly string[]>>> {
  /** The era to try first with the server, if finding it took time. */
  readonly protocol?: EraVerdict;
  /** The number of calls of each tool, by name, if the exposure `auto` has counted them. */
  readonly uses?: Readonly<Record<string, number>>;
}

/** Returns the lists of a server in a form that can be stored. */
export function remembered(lists: ServerLists): RememberedLists {
  return Object.fromEntries(
    LIST_KINDS.filter((kind) => lists[kind].length > 0).map((kind) => [
      kind,
      // The entries are stored in the form that clients of each era accept.
      lists[kind].map(({ bytes, forOthers = { bytes } }) => forOthers.bytes.toString('utf8')),
    ]),
  );
}

/** Returns lists from stored text. If the text of a list is damaged, the list is empty. */
export function recalled(texts: RememberedLists = {}): ServerLists {
  const lists = LIST_KINDS.map((kind) => [kind, read(kind, texts[kind] ?? [])] as const);
  return { ...NO_LISTS, ...Object.fromEntries(lists) };
}

function read(kind: ListKind, texts: readonly string[]): readonly Definition[] {
  const line = Buffer.from(`{"${LISTS[kind].member}":[${texts.join(',')}]}`);
  try {
    return readPage(line, { start: 0, end: line.length }, LISTS[kind])?.items ?? [];
  } catch {
    return [];
  }
}

/**
 * Returns the current lists of a server, without the filter of its registration. Returns undefined if the server is
 * neither running nor idle, and for a template whose instances have listed nothing.
 */
export function rememberedOf(
  server:
    | (Placed & {
        state: { kind: string };
        asListed: ServerLists;
        ranBefore: boolean;
        verdict?: EraVerdict | undefined;
      })
    | undefined,
): RememberedLists | undefined {
  if (server === undefined) return undefined;
  const { state, asListed: lists, ranBefore, verdict } = server;
  const isKnown = state.kind === 'running' || state.kind === 'idle';
  if (!isKnown || (!ranBefore && isSessionTemplate(server))) return undefined;
  return { ...remembered(lists), ...(verdict !== undefined && { protocol: verdict }) };
}
