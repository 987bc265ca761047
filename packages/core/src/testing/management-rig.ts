import { DEFAULT_NAME_BUDGET } from '@mcpmux/namespace';

import { Catalog, type CatalogSnapshot } from '../catalog/catalog.js';
import type { OwnToolAnswer, OwnToolContext } from '../downstream/own-tool-handler.js';
import { DEFAULT_LIMITS } from '../limits.js';
import { Management } from '../management/management.js';
import { ServerJournal } from '../management/server-journal.js';
import { OWN_TOOLS } from '../management/tool-definitions.js';
import { FakeSpawner } from './fake-server.js';
import { ManualClock } from './manual-clock.js';
import { RegistryRig } from './registry-rig.js';

/** A tool result as a client reads it. */
export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** The management tools over fake servers, and a clock that the test moves. */
export class ManagementRig implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly registryRig: RegistryRig;
  readonly journal = new ServerJournal(this.clock);
  /** What callers were told meanwhile. */
  readonly progress: string[] = [];
  private readonly management: Management;

  constructor(readonly spawner: FakeSpawner = new FakeSpawner()) {
    const { clock } = this;
    this.registryRig = RegistryRig.overFakes(spawner, { clock });
    const { registry } = this.registryRig;
    const catalog = new FreshCatalog(OWN_TOOLS, { nameBudget: DEFAULT_NAME_BUDGET, listPageBytes: 1e9 }, () =>
      registry.list(),
    );
    this.management = new Management({
      registry,
      catalog,
      clock,
      limits: DEFAULT_LIMITS,
      journal: this.journal,
    });
  }

  /** Calls a tool as a session does. */
  call(tool: string, args?: unknown, signal?: AbortSignal): Promise<OwnToolAnswer> {
    const context: OwnToolContext = {
      signal: signal ?? new AbortController().signal,
      progress: (message) => void this.progress.push(message),
    };
    return this.management.call(tool, args, context);
  }

  /** {@link call} of a tool that gives a result. */
  async result(tool: string, args?: unknown, signal?: AbortSignal): Promise<ToolResult> {
    const answer = await this.call(tool, args, signal);
    if (answer.kind === 'error') throw new Error(answer.error.message);
    return JSON.parse(answer.json) as ToolResult;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.registryRig[Symbol.asyncDispose]();
  }
}

/** Nobody tells this catalog of changes: it looks every time. */
class FreshCatalog extends Catalog {
  override snapshot(): CatalogSnapshot {
    this.invalidate();
    return super.snapshot();
  }
}
