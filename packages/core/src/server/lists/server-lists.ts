import { type AllLimits, messageOf } from '@mcpmux/kit';
import type { ServerCapabilities } from '../dialect/server-identity.js';
import type { Connection } from '../link/connection.js';
import type { Definition } from './definition.js';
import { LIST_KINDS, LISTS, type ListKind } from './list-kind.js';
import { EMPTY_LISTING, readList, type Listing } from './listing.js';
import { METHOD_NOT_FOUND, OwnRequestError } from '../link/own-request.js';

/** The time limit for listing the tools of a server that declares no capabilities, in milliseconds. */
const UNDECLARED_TOOLS_TIMEOUT_MS = 5000;
const UNDECLARED_TOOLS_WARNING = 'it declares no capability "tools", and its tools are used all the same';
const NO_CAPABILITIES_WARNING = 'it declares no tools, prompts or resources';

/** The entries of each of a server's lists. */
export type ServerLists = Readonly<Record<ListKind, readonly Definition[]>>;

/** A server's lists before its first listing. */
export const NO_LISTS: Readonly<Record<ListKind, readonly never[]>> = Object.freeze({
  tools: [],
  prompts: [],
  resources: [],
  resourceTemplates: [],
});

/** One server's listings, as read when the server started. */
export type Listings = Readonly<Record<ListKind, Listing>>;

/**
 * Reads all of a server's lists concurrently. A server is useless without its tools, so a failure to list them is an
 * error. A problem with any other list becomes a warning.
 *
 * @param timeLeftMs returns the time left for the tools; a page of another list gets at most `listTimeoutMs` of it
 * @throws OwnRequestError if the tools cannot be listed
 */
export async function readLists(
  connection: Connection,
  capabilities: ServerCapabilities,
  limits: AllLimits,
  timeLeftMs: () => number,
): Promise<Listings> {
  const pageTimeoutMs = (): number => Math.min(timeLeftMs(), limits.listTimeoutMs);
  const read = async (kind: ListKind): Promise<Listing> => {
    if (kind === 'tools' && declaresNoLists(capabilities))
      return listUndeclaredTools(connection, limits, pageTimeoutMs);
    if (capabilities[LISTS[kind].capability] === undefined) return EMPTY_LISTING;
    if (kind === 'tools') return readList(connection, LISTS.tools, limits, timeLeftMs);
    return listOrWarning(connection, kind, limits, pageTimeoutMs);
  };
  const reads = [read('tools'), read('prompts'), read('resources'), read('resourceTemplates')] as const;
  const [tools, prompts, resources, resourceTemplates] = await Promise.all(reads);
  return { tools, prompts, resources, resourceTemplates };
}

function declaresNoLists(capabilities: ServerCapabilities): boolean {
  return LIST_KINDS.every((kind) => capabilities[LISTS[kind].capability] === undefined);
}

/**
 * Lists the tools of a server that declares no capabilities for lists. Some of these servers have tools nevertheless,
 * and a client connected to the server directly would find them.
 */
async function listUndeclaredTools(
  connection: Connection,
  limits: AllLimits,
  pageTimeoutMs: () => number,
): Promise<Listing> {
  try {
    const timeoutMs = (): number => Math.min(pageTimeoutMs(), UNDECLARED_TOOLS_TIMEOUT_MS);
    const { items, warnings } = await readList(connection, LISTS.tools, limits, timeoutMs);
    return {
      items,
      warnings: [items.length > 0 ? UNDECLARED_TOOLS_WARNING : NO_CAPABILITIES_WARNING, ...warnings],
    };
  } catch (error) {
    // If the run has ended, the run itself reports this.
    if (error instanceof OwnRequestError && error.failure !== undefined) throw error;
    return { items: [], warnings: [NO_CAPABILITIES_WARNING] };
  }
}

async function listOrWarning(
  connection: Connection,
  kind: ListKind,
  limits: AllLimits,
  pageTimeoutMs: () => number,
): Promise<Listing> {
  try {
    return await readList(connection, LISTS[kind], limits, pageTimeoutMs);
  } catch (error) {
    // Many servers with resources do not implement the method for listing templates.
    if (error instanceof OwnRequestError && error.code === METHOD_NOT_FOUND) return EMPTY_LISTING;
    return { items: [], warnings: [`could not list its ${LISTS[kind].noun}s: ${messageOf(error)}`] };
  }
}

/** True if any list has an entry. */
export function hasListedEntries(lists: ServerLists): boolean {
  return LIST_KINDS.some((kind) => lists[kind].length > 0);
}

/** Removes the resources from lists that come from another session's run, because they are that session's data. */
export function withoutResources(lists: ServerLists): ServerLists {
  return { ...lists, resources: [] };
}
