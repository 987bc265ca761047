import { type AllLimits, quote, hiddenCharacter, isRecord } from '@mcpmux/kit';
import type { ServerDialect } from '../dialect/server-dialect.js';
import type { Connection } from '../link/connection.js';
import { readDefinition, readPage, type Definition, type Page } from './definition.js';
import type { ListSpec } from './list-kind.js';
import { OwnRequestError } from '../link/own-request.js';
import { repairedDefinition, withoutOutputSchema } from './repaired-definition.js';

/** A validated list entry: its definition, the repairs made to it, and the remaining problem, if any. */
interface CheckedEntry {
  readonly item: Definition;
  readonly repairs: readonly string[];
  readonly problem?: string | undefined;
}

/** Returns the problem with a list entry, or `undefined` if the entry is valid. */
type DefinitionCheck = (definition: Definition, noun: string) => string | undefined;
type EntryCheck = (item: Definition) => CheckedEntry;

let loadedCheck: DefinitionCheck | undefined;

/** Loads the function that validates entries. Loaded on demand, because importing zod would slow mcpmux's start. */
export async function loadDefinitionCheck(): Promise<DefinitionCheck> {
  loadedCheck ??= (await import('./definition-problem.js')).definitionProblem;
  return loadedCheck;
}

/** All entries of one server's list, and the problems with the list. */
export interface Listing {
  readonly items: readonly Definition[];
  /** The problems, as sentences for `list_servers`. mcpmux uses the list despite them. */
  readonly warnings: readonly string[];
}

const TOOL_NOUN = 'tool';
/** The maximum number of warnings for one list. Further warnings are only counted. */
const MAX_WARNINGS = 20;

/** The listing for a server that does not have the list. */
export const EMPTY_LISTING: Listing = Object.freeze({ items: [], warnings: [] });

/**
 * Reads all pages of a server's list.
 *
 * Ends at a page without a cursor, at a repeated cursor, or at a limit, so a server with endless pages loses only the
 * entries after that. Omits entries that clients would refuse.
 *
 * @param pageTimeoutMs returns the timeout for the next page
 * @throws OwnRequestError if a page is refused or malformed, or times out
 */
export async function readList(
  connection: Connection,
  spec: ListSpec,
  limits: AllLimits,
  pageTimeoutMs: () => number,
): Promise<Listing> {
  const { method } = spec;
  const collected = new ListCollector(spec, limits);
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const answer = await connection.request(method, { cursor }, pageTimeoutMs());
    connection.dialect.onListPage?.(method, answer);
    const pageContent = readPage(answer.line, answer.result, spec);
    if (pageContent === undefined)
      throw new OwnRequestError(`${method} has no array "${spec.member}" in its result`, false);
    collected.add(pageContent, entryCheck(spec, connection, await loadDefinitionCheck()));
    cursor = pageContent.nextCursor;
    if (collected.isFull || cursor === undefined) break;
    if (cursors.has(cursor)) {
      collected.addWarning(`the pages of ${method} lead back to an earlier one; the rest was not read`);
      break;
    }
    if (page >= limits.maxListPages) {
      collected.addWarning(`${method} did not end after ${page} pages; the rest was not read`);
      break;
    }
    cursors.add(cursor);
  }
  return collected.listing();
}

/**
 * Returns a function that validates entries as clients do, repairs invalid entries, and applies the dialect's check.
 */
function entryCheck(spec: ListSpec, { dialect }: Connection, check: DefinitionCheck): EntryCheck {
  const { noun } = spec;
  const isTool = noun === TOOL_NOUN;
  const checked = (definition: Definition, repairs: readonly string[]): CheckedEntry => {
    const item = isTool ? withOtherEra(definition, spec, dialect) : definition;
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
    const { item, problem = isTool ? dialect.onToolListed?.(item.key, item.bytes) : undefined } = found;
    return { ...found, problem };
  };
}

/** Adds to a definition its variant for clients of the other era. */
function withOtherEra(item: Definition, spec: ListSpec, dialect: ServerDialect): Definition {
  const bytes = dialect.toolForOtherEra?.(item.bytes);
  const forOthers = bytes && readDefinition(bytes, spec);
  return forOthers === undefined ? item : { ...item, forOthers };
}

/** The entries read so far. */
class ListCollector {
  private readonly warnings = new Set<string>();
  private omittedCount = 0;
  private readonly items = new Map<string, Definition>();
  private byteCount = 0;
  /** True if the list has reached a limit, so that further entries are ignored. */
  isFull = false;

  constructor(
    private readonly spec: ListSpec,
    private readonly limits: Pick<AllLimits, 'maxToolsPerServer' | 'maxListBytesPerServer'>,
  ) {}

  add({ items, skippedCount, isNull }: Page, check: EntryCheck): void {
    const { noun, keyMember } = this.spec;
    if (isNull === true) this.addWarning(`its list of ${noun}s is null, which counts as empty`);
    if (skippedCount > 0) this.addWarning(`${noun}s without a ${keyMember} were left out`);
    for (const item of items) {
      if (this.isFull) return;
      this.addItem(check(item));
    }
  }

  listing(): Listing {
    const moreWarnings = this.omittedCount === 0 ? [] : [`and ${this.omittedCount} more like these`];
    return { items: [...this.items.values()], warnings: [...this.warnings, ...moreWarnings] };
  }

  addWarning(warning: string): void {
    if (this.warnings.has(warning)) return;
    if (this.warnings.size < MAX_WARNINGS) this.warnings.add(warning);
    else this.omittedCount += 1;
  }

  private addItem({ item, repairs, problem }: CheckedEntry): void {
    const name = `${this.spec.noun} ${quote(item.key)}`;
    if (problem !== undefined) return this.addWarning(`${name} was left out: ${problem}`);
    if (this.items.has(item.key)) return this.addWarning(`${name} is listed twice; the first one counts`);
    if (repairs.length > 0) this.addWarning(`${name} was repaired: it is used ${repairs.join(', ')}`);
    this.addChecked(item, name);
  }

  private addChecked(item: Definition, name: string): void {
    const { noun } = this.spec;
    const { maxToolsPerServer, maxListBytesPerServer } = this.limits;
    const bytes = this.byteCount + item.bytes.length;
    this.isFull = this.items.size >= maxToolsPerServer || bytes > maxListBytesPerServer;
    if (this.isFull) {
      const reason =
        bytes > maxListBytesPerServer ? `: more would be above ${maxListBytesPerServer} bytes` : '';
      return this.addWarning(`only the first ${this.items.size} ${noun}s are used${reason}`);
    }
    this.byteCount = bytes;
    this.items.set(item.key, item);
    const invisibleCharacter = hiddenCharacterIn(item);
    if (invisibleCharacter !== undefined)
      this.addWarning(
        `${name} has invisible characters (${invisibleCharacter}), which may hide instructions`,
      );
  }
}

/** Returns the first invisible character in a definition's strings, such as `U+202E`. */
function hiddenCharacterIn({ bytes }: Definition): string | undefined {
  // Most definitions are plain ASCII, which contains no invisible characters, and need not be parsed.
  return isPlainAscii(bytes) ? undefined : findHiddenCharacter(JSON.parse(bytes.toString('utf8')));
}

const BACKSLASH = 0x5c;
const LOWER_U = 0x75;

function isPlainAscii(bytes: Buffer): boolean {
  return bytes.every((byte, index) => byte < 0x7f && !(byte === LOWER_U && bytes[index - 1] === BACKSLASH));
}

function findHiddenCharacter(value: unknown): string | undefined {
  if (typeof value === 'string') return hiddenCharacter(value);
  const parts = isRecord(value) ? [...Object.keys(value), ...Object.values(value)] : value;
  if (!Array.isArray(parts)) return undefined;
  for (const part of parts) {
    const character = findHiddenCharacter(part);
    if (character !== undefined) return character;
  }
  return undefined;
}
