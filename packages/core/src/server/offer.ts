import { isDeepStrictEqual } from 'node:util';

import { messageOf } from '@mcpmux/kit';
import type { Connection } from './link/connection.js';
import { METHOD_NOT_FOUND, OwnRequestError } from './link/own-request.js';
import type { Definition } from './lists/definition.js';
import { LIST_KINDS, LISTS, type ListKind } from './lists/list-kind.js';
import { readList, type Listing } from './lists/listing.js';
import type { Registration } from './lists/registration.js';
import { restoredLists } from './lists/remembered-lists.js';
import { NO_LISTS, type Listings, type ServerLists } from './lists/server-lists.js';
import { applyToolFilter } from './lists/tool-filter.js';
import { NO_FINDINGS, type PinFindings } from './lists/tool-pins.js';
import type { UpstreamComponents } from './run/run-components.js';
import type { ServerReport } from './run/server-report.js';

/** The warning for tools that were pinned while a server of the same name had another command, environment or URL. */
export const OTHER_COMMAND_WARNING =
  'the command, environment or url under this name differs from the one before';

/** One server's lists, from its last successful run. They may be outdated while no run serves. */
export class Offer {
  lists: ServerLists = NO_LISTS;
  /** The lists that clients see until the current run has listed everything. */
  previousLists: ServerLists = NO_LISTS;
  /** The tools that differ from their approved state. */
  findings: PinFindings = NO_FINDINGS;
  /** The earlier definitions of changed tools. */
  readonly earlierDefinitions = new EarlierDefinitions();
  /** The tools that are blocked until they are approved. */
  blockedTools: PinFindings = NO_FINDINGS;
  /** True if the pins come from this server's first list rather than from an earlier server with the same name. */
  private hasOwnPins = false;
  private admitsNewTools = false;
  private listWarnings: Readonly<Record<ListKind, readonly string[]>> = NO_LISTS;
  /**
   * The tools before the server's own filter is applied. `Mux.remember` returns these, because the filter may change.
   */
  private listedTools: readonly Definition[] = [];
  private readonly registration: Omit<Registration, 'remembered'>;

  constructor(
    { remembered, ...registration }: Registration,
    private readonly components: Pick<UpstreamComponents<unknown>, 'logger' | 'limits' | 'pins'>,
    private readonly report: (report: ServerReport<never>) => void,
  ) {
    this.registration = registration;
    this.recall(restoredLists(remembered));
  }

  /** The lists as the server sent them, before filtering. */
  get unfilteredLists(): ServerLists {
    return { ...this.lists, tools: this.listedTools };
  }

  /** Adopts another run's lists, which must not be filtered. */
  recall(lists: ServerLists): void {
    this.listedTools = lists.tools;
    this.lists = { ...lists, tools: this.filterListing('tools', { items: lists.tools, warnings: [] }).items };
  }

  /** Sentences that describe the problems of the lists. */
  get warnings(): readonly string[] {
    const isOtherCommand = [...this.findings.values()].includes('command');
    return [
      ...LIST_KINDS.flatMap((kind) => this.listWarnings[kind]),
      ...(isOtherCommand ? [OTHER_COMMAND_WARNING] : []),
    ];
  }

  /** Replaces all lists with those that a run has listed. */
  replaceLists(listings: Listings): void {
    const { pins, logger } = this.components;
    const { name: server } = this.registration;
    this.hasOwnPins ||= pins.mode === 'block' && !pins.hasPins(this.registration);
    this.previousLists = this.lists;
    this.setFindings(NO_FINDINGS);
    this.listedTools = listings.tools.items;
    // In `warn` mode, a run's tools are compared with the previous run's tools.
    if (pins.mode !== 'block') this.earlierDefinitions.clear();
    if (this.admitsNewTools) {
      pins.approveNewTools(this.registration, this.filterListing('tools', listings.tools).items);
      logger.log('info', 'tools that appear for the first client count as approved', { server });
    }
    for (const kind of LIST_KINDS) this.acceptListing(kind, this.filterListing(kind, listings[kind]));
  }

  /** Approves the currently listed tools. */
  approveTools(): void {
    this.components.pins.approve(this.registration, this.lists.tools);
    this.setFindings(NO_FINDINGS);
    this.earlierDefinitions.clear();
    this.report({ kind: 'list-changed', list: 'tools' });
  }

  /**
   * If `isOn` is true, tools that are new in the next full listing are approved, unless an earlier server left pins.
   */
  setAdmitsNewTools(isOn: boolean): void {
    this.admitsNewTools = isOn && this.hasOwnPins && this.components.pins.mode === 'block';
  }

  /** Drops the approvals, so that the next run's tools count as approved, whatever their definitions. */
  approveNextTools(): void {
    this.components.pins.forget(this.registration);
  }

  /** Reads a list again after the run with `connection` has announced a change. Never rejects. */
  async relist(kind: ListKind, connection: Connection, isCurrent: () => boolean): Promise<void> {
    const { limits, logger } = this.components;
    const spec = LISTS[kind];
    try {
      const fullListing = await readList(connection, spec, limits, () => limits.listTimeoutMs);
      if (!isCurrent()) return;
      if (kind === 'tools') this.listedTools = fullListing.items;
      const listing = this.filterListing(kind, fullListing);
      const previousListing: Listing = { items: this.lists[kind], warnings: this.listWarnings[kind] };
      if (isDeepStrictEqual(listing, previousListing)) return;
      this.acceptListing(kind, listing);
      this.report({ kind: 'list-changed', list: kind });
    } catch (error) {
      if (error instanceof OwnRequestError && error.code === METHOD_NOT_FOUND) return;
      // The old list stays in use until the server announces another change.
      const logFields = { server: this.registration.name, problem: messageOf(error) };
      logger.log('warn', `could not list the ${spec.noun}s again`, logFields);
    }
  }

  private filterListing(kind: ListKind, listing: Listing): Listing {
    return applyToolFilter(kind, listing, this.registration.view);
  }

  private acceptListing(kind: ListKind, { items, warnings }: Listing): void {
    const { tools: before } = this.lists;
    this.lists = { ...this.lists, [kind]: items };
    this.listWarnings = { ...this.listWarnings, [kind]: warnings };
    if (kind === 'tools') {
      this.checkPins(items);
      this.earlierDefinitions.record(before, this.findings);
    }
    const { name: server } = this.registration;
    for (const warning of warnings) this.components.logger.log('warn', warning, { server });
  }

  /** Compares the tools with their approved definitions and reports new findings. */
  private checkPins(tools: readonly Definition[]): void {
    const { pins } = this.components;
    const { findings: before } = this;
    const newFindings = pins.check(this.registration, tools);
    // In `warn` mode, each change is found only once, so earlier findings are kept until the next run.
    const isBlocking = pins.mode === 'block';
    this.setFindings(isBlocking ? newFindings : new Map([...before, ...newFindings]));
    const hasNewFindings = [...newFindings].some(
      ([tool, reason]) => !isBlocking || before.get(tool) !== reason,
    );
    if (hasNewFindings) this.report({ kind: 'unpinned', findings: newFindings });
  }

  private setFindings(findings: PinFindings): void {
    this.findings = findings;
    if (this.components.pins.mode === 'block') this.blockedTools = findings;
  }
}

/** The earlier definitions of one server's changed tools, for people to compare. */
class EarlierDefinitions {
  private definitions: ReadonlyMap<string, Definition> = new Map();

  /** Returns the definition that a changed tool had when it was approved or first listed. */
  get(tool: string): Definition | undefined {
    return this.definitions.get(tool);
  }

  /**
   * Records the earlier definitions of changed tools. A tool that changes twice keeps its first definition.
   *
   * @param findings the tools that differ from their approved definitions; records of all other tools are dropped
   */
  record(before: readonly Definition[], findings: PinFindings): void {
    const recordedEntries = [...this.definitions].filter(([tool]) => findings.get(tool) === 'changed');
    const changedDefinitions = before.filter(({ key }) => findings.get(key) === 'changed');
    this.definitions = new Map([
      ...changedDefinitions.map((tool) => [tool.key, tool] as const),
      ...recordedEntries,
    ]);
  }

  clear(): void {
    this.definitions = new Map();
  }
}
