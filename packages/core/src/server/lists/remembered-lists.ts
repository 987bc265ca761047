import { readPage, type Definition } from './definition.js';
import type { EraVerdict } from '../config/era-verdicts.js';
import { isSessionTemplate, type Placed } from '../config/isolation.js';
import { LIST_KINDS, LISTS, type ListKind } from './list-kind.js';
import { NO_LISTS, type ServerLists } from './server-lists.js';

/** The lists of a server: by list, each entry as JSON text. */
export interface RememberedLists extends Readonly<Partial<Record<ListKind, readonly string[]>>> {
  /** The era in which the server is spoken to first, where finding out took time. */
  readonly protocol?: EraVerdict;
  /** How often its tools were called, by name, where the exposure `auto` has counted. */
  readonly uses?: Readonly<Record<string, number>>;
}

/** The lists of a server as texts that can be kept. */
export function remembered(lists: ServerLists): RememberedLists {
  return Object.fromEntries(
    LIST_KINDS.filter((kind) => lists[kind].length > 0).map((kind) => [
      kind,
      // In the form that clients of each era accept.
      lists[kind].map(({ bytes, forOthers = { bytes } }) => forOthers.bytes.toString('utf8')),
    ]),
  );
}

/** Lists from saved texts. A text that is not a list counts as an empty list, whatever damaged the text. */
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
 * Returns the current lists of a server, before the filter of its registration; undefined unless the server runs or is
 * idle, and has listed anything.
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
