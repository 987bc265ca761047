import { messageOf } from '../base/errors.js';
import type { Limits } from '../base/limits.js';
import type { Logger } from '../base/logger.js';
import type { Connection } from './link/connection.js';
import { METHOD_NOT_FOUND, OwnRequestError } from './link/own-request.js';
import { LIST_KINDS, LISTS, type ListKind } from './lists/list-kind.js';
import { readList, type Listing } from './lists/listing.js';
import { PinnedTools } from './lists/pinned-tools.js';
import type { Registration } from './lists/registration.js';
import { recalled } from './lists/remembered-lists.js';
import {
  isKnown,
  NO_LIST_WARNINGS,
  NO_LISTS,
  type Listings,
  type ListWarnings,
  type ServerLists,
} from './lists/server-lists.js';
import { applyToolFilter, type ToolFilter } from './lists/tool-filter.js';
import type { PinFindings, ToolPins } from './lists/tool-pins.js';

/** What an {@link Offer} works with. */
export interface OfferComponents {
  readonly logger: Logger;
  readonly limits: Limits;
  readonly pins: ToolPins;
}

/** Takes what happens to an {@link Offer}. */
export interface OfferEvents {
  listChanged(kind: ListKind): void;
  /** Tools are not as they were approved. */
  unpinned(findings: PinFindings): void;
}

/** What one server offers: its lists, as the last run that listed anything gave them. Stale while no run serves. */
export class Offer {
  lists: ServerLists;
  /** What the run before offered. */
  listsBefore: ServerLists = NO_LISTS;
  readonly pinned: PinnedTools;
  private listWarnings: ListWarnings = NO_LIST_WARNINGS;
  private readonly server: string;
  private readonly filter: ToolFilter | undefined;

  constructor(
    { name, view, remembered, ...registration }: Registration,
    private readonly components: OfferComponents,
    private readonly events: OfferEvents,
  ) {
    this.server = name;
    this.filter = view;
    this.lists = recalled(remembered, view);
    this.pinned = new PinnedTools({ name, ...registration }, components.pins);
  }

  /** What is wrong with the lists, in sentences. */
  get warnings(): readonly string[] {
    return [...LIST_KINDS.flatMap((kind) => this.listWarnings[kind]), ...this.pinned.warnings];
  }

  /** A run has listed everything. */
  replace(listings: Listings): void {
    this.listsBefore = this.lists;
    this.pinned.reset();
    for (const kind of LIST_KINDS) this.accept(kind, applyToolFilter(kind, listings[kind], this.filter));
  }

  /** The tools of now are what they are to be from now on. */
  approveTools(): void {
    this.pinned.approve(this.lists.tools);
    this.events.listChanged('tools');
  }

  /** Reads a list again that the run of `connection` has said to have changed. Does not reject. */
  async relist(kind: ListKind, connection: Connection, isCurrent: () => boolean): Promise<void> {
    const { limits, logger } = this.components;
    const spec = LISTS[kind];
    try {
      const read = await readList(connection, spec, limits, () => limits.listTimeoutMs);
      const listing = applyToolFilter(kind, read, this.filter);
      if (!isCurrent() || isKnown(listing, this.lists[kind], this.listWarnings[kind])) return;
      this.accept(kind, listing);
      this.events.listChanged(kind);
    } catch (error) {
      if (error instanceof OwnRequestError && error.code === METHOD_NOT_FOUND) return;
      // The old list stays in use; the server's next announcement tries again.
      const problem = messageOf(error);
      logger.log('warn', `could not list the ${spec.noun}s again`, { server: this.server, problem });
    }
  }

  private accept(kind: ListKind, { items, warnings }: Listing): void {
    this.lists = { ...this.lists, [kind]: items };
    this.listWarnings = { ...this.listWarnings, [kind]: warnings };
    const findings = kind === 'tools' ? this.pinned.compare(items) : undefined;
    if (findings !== undefined) this.events.unpinned(findings);
    const { server } = this;
    for (const warning of warnings) this.components.logger.log('warn', warning, { server });
  }
}
