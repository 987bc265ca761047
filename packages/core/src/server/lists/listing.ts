import { type Limits, quote } from '@mcpmux/kit';
import type { ServerDialect } from '../dialect/server-dialect.js';
import type { Connection } from '../link/connection.js';
import { readDefinition, readPage, type Definition, type Page } from './definition.js';
import { hiddenCharacterIn } from './hidden-character.js';
import type { ListSpec } from './list-kind.js';
import { OwnRequestError } from '../link/own-request.js';
import { repairedDefinition, withoutOutputSchema } from './repaired-definition.js';

/** An entry of a list as it was found: valid, with the repairs that made it so, or with a problem. */
interface CheckedEntry {
  readonly item: Definition;
  readonly repairs: readonly string[];
  readonly problem?: string | undefined;
}

/** Returns the problem of an entry of a list; `undefined` when the entry is valid. */
type DefinitionCheck = (definition: Definition, noun: string) => string | undefined;
type EntryCheck = (item: Definition) => CheckedEntry;

let loaded: DefinitionCheck | undefined;

/**
 * The check of entries, loaded with the first list that is read: it brings zod, which the start of mcpmux must not wait
 * for.
 */
export async function definitionCheck(): Promise<DefinitionCheck> {
  loaded ??= (await import('./definition-problem.js')).definitionProblem;
  return loaded;
}

/** All entries of one list of one server, and what was wrong with it. */
export interface Listing {
  readonly items: readonly Definition[];
  /** Each a sentence for `list_servers`; the list is used all the same. */
  readonly warnings: readonly string[];
}

const TOOL = 'tool';
/** Said of one list; of the rest only how many there are. */
const MAX_WARNINGS = 20;

/** The listing of a server that has no such list. */
export const EMPTY_LISTING: Listing = Object.freeze({ items: [], warnings: [] });

/**
 * Reads every page of a list of a server.
 *
 * Ends at a page without a cursor, at a cursor that was there before, or at a limit: a server that never stops paging
 * loses the rest of its entries, not all of them. An entry that clients would stumble over is left out alone.
 *
 * @param pageTimeoutMs how long each page may take
 * @throws OwnRequestError when a page is refused, malformed or late
 */
export async function readList(
  connection: Connection,
  spec: ListSpec,
  limits: Limits,
  pageTimeoutMs: () => number,
): Promise<Listing> {
  const { method } = spec;
  const collected = new Collected(spec, limits);
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const answer = await connection.request(method, { cursor }, pageTimeoutMs());
    connection.dialect.listed?.(method, answer);
    const read = readPage(answer.line, answer.result, spec);
    if (read === undefined)
      throw new OwnRequestError(`${method} has no array "${spec.member}" in its result`, false);
    collected.add(read, entryCheck(spec, connection, await definitionCheck()));
    cursor = read.nextCursor;
    if (collected.isFull || cursor === undefined) break;
    if (cursors.has(cursor)) {
      collected.warn(`the pages of ${method} lead back to an earlier one; the rest was not read`);
      break;
    }
    if (page >= limits.maxListPages) {
      collected.warn(`${method} did not end after ${page} pages; the rest was not read`);
      break;
    }
    cursors.add(cursor);
  }
  return collected.listing();
}

/** The check of clients, repairs where it fails, and the check of the dialect of the server. */
function entryCheck(spec: ListSpec, { dialect }: Connection, check: DefinitionCheck): EntryCheck {
  const { noun } = spec;
  const isTool = noun === TOOL;
  const checked = (definition: Definition, repairs: readonly string[]): CheckedEntry => {
    const item = isTool ? forAll(definition, spec, dialect) : definition;
    const problem = check(item.forOthers ?? item, noun);
    return { item, repairs, problem };
  };
  const repaired = (found: CheckedEntry, bytes: Buffer | undefined, ...repairs: readonly string[]) => {
    const definition = found.problem === undefined ? undefined : bytes && readDefinition(bytes, spec);
    return definition === undefined ? found : checked(definition, [...found.repairs, ...repairs]);
  };
  return (definition) => {
    let found = checked(definition, []);
    if (found.problem !== undefined) {
      const { bytes, repairs = [] } = repairedDefinition(definition.bytes) ?? {};
      found = repaired(found, bytes, ...repairs);
    }
    if (isTool && found.problem !== undefined)
      found = repaired(
        found,
        withoutOutputSchema(found.item.bytes),
        `without its outputSchema, since ${found.problem}`,
      );
    const { item, problem = isTool ? dialect.toolListed?.(item.key, item.bytes) : undefined } = found;
    return { ...found, problem };
  };
}

/** The definition with what clients of the other era must see. */
function forAll(item: Definition, spec: ListSpec, dialect: ServerDialect): Definition {
  const bytes = dialect.toolForOthers?.(item.bytes);
  const forOthers = bytes && readDefinition(bytes, spec);
  return forOthers === undefined ? item : { ...item, forOthers };
}

/** The entries of the pages that were read. */
class Collected {
  private readonly warnings = new Set<string>();
  private unsaid = 0;
  private readonly items = new Map<string, Definition>();
  private bytes = 0;
  /** More than a limit allows has come: the rest is not used. */
  isFull = false;

  constructor(
    private readonly spec: ListSpec,
    private readonly limits: Pick<Limits, 'maxToolsPerServer' | 'maxListBytesPerServer'>,
  ) {}

  add({ items, skipped, isNull }: Page, check: EntryCheck): void {
    const { noun, key } = this.spec;
    if (isNull === true) this.warn(`its list of ${noun}s is null, which counts as empty`);
    if (skipped > 0) this.warn(`${noun}s without a ${key} were left out`);
    for (const item of items) {
      if (this.isFull) return;
      this.addItem(check(item));
    }
  }

  listing(): Listing {
    const more = this.unsaid === 0 ? [] : [`and ${this.unsaid} more like these`];
    return { items: [...this.items.values()], warnings: [...this.warnings, ...more] };
  }

  warn(warning: string): void {
    if (this.warnings.has(warning)) return;
    if (this.warnings.size < MAX_WARNINGS) this.warnings.add(warning);
    else this.unsaid += 1;
  }

  private addItem({ item, repairs, problem }: CheckedEntry): void {
    const name = `${this.spec.noun} ${quote(item.key)}`;
    if (problem !== undefined) return this.warn(`${name} was left out: ${problem}`);
    if (this.items.has(item.key)) return this.warn(`${name} is listed twice; the first one counts`);
    if (repairs.length > 0) this.warn(`${name} was repaired: it is used ${repairs.join(', ')}`);
    this.take(item, name);
  }

  private take(item: Definition, name: string): void {
    const { noun } = this.spec;
    const { maxToolsPerServer, maxListBytesPerServer } = this.limits;
    const bytes = this.bytes + item.bytes.length;
    this.isFull = this.items.size >= maxToolsPerServer || bytes > maxListBytesPerServer;
    if (this.isFull) {
      const why = bytes > maxListBytesPerServer ? `: more would be above ${maxListBytesPerServer} bytes` : '';
      return this.warn(`only the first ${this.items.size} ${noun}s are used${why}`);
    }
    this.bytes = bytes;
    this.items.set(item.key, item);
    const hidden = hiddenCharacterIn(item);
    if (hidden !== undefined)
      this.warn(`${name} has invisible characters (${hidden}), which may hide instructions`);
  }
}
