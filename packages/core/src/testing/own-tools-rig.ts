import { DEFAULT_LIMITS } from '@mcpmux/kit';
import { z } from '@mcpmux/kit/zod';
import { DEFAULT_NAME_BUDGET } from '@mcpmux/namespace';
import type { Sandbox } from '@mcpmux/sandbox';

import type { Catalog } from '../catalog/catalog.js';
import { Catalogs } from '../catalog/catalogs.js';
import type { ElicitAnswer } from '../client/asks/server-requests.js';
import type { CallingClient, OwnToolContext } from '../client/caller/own-tool-handler.js';
import { layerView, RestrictedViews, type CallerView, type LayerView } from '../client/caller/caller-view.js';
import { GuardList } from '../guards/guard-list.js';
import { LOCAL, type Principal } from '../guards/principal.js';
import { ALLOW_ALL, type AddPolicy } from '../tools/policy/add-policy.js';
import type { AuditRecord } from '../tools/journal/audit.js';
import { ServerJournal } from '../tools/journal/server-journal.js';
import type { ServerStore } from '../tools/context/server-store.js';
import { createToolContext, type ToolServices } from '../tools/context/tool-context.js';
import { OwnTools, createOwnTools, runTool } from '../tools/own-tools.js';
import type { Layer } from '../server/config/layer.js';
import { ToolPins, type PinMode } from '../server/lists/tool-pins.js';
import type { Upstream } from '../server/upstream.js';
import { FakeSpawner } from './fake-server.js';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { RegistryRig } from './registry-rig.js';

/** A tool result as a client reads it. */
export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** A host that offers all that the own tools can do. */
export const WHOLE_HOST = {
  store: { save: () => Promise.resolve(), delete: () => Promise.resolve(false) },
  instances: { list: () => Promise.resolve([]), open: () => Promise.reject(new Error('no instance')) },
};
const TOOLS = createOwnTools(WHOLE_HOST);

/** Starts programs as they are. */
const fakeSandbox: Sandbox = {
  confine: (program) =>
    Promise.resolve({ program, by: 'a fake', isWatched: false, explain: () => undefined }),
};

/** The own tools over fake servers, and a clock that the test moves. */
export class OwnToolsRig implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly registryRig: RegistryRig;
  readonly journal = new ServerJournal(this.clock);
  /** What callers were told in the meantime. */
  readonly progress: string[] = [];
  /** What was refused, or could not be done. */
  readonly audited: AuditRecord[] = [];
  /** What the user was asked in the meantime. */
  readonly asked: string[] = [];
  /** What the user answers; without one, the client cannot ask. */
  userAnswers: ElicitAnswer | undefined;
  /** What happens while the user is asked. */
  onAsked: () => void = () => undefined;
  /** The layers of the client that calls. */
  readonly layers: CallingClient['layers'];
  /** Who calls. */
  principal: Principal = LOCAL;
  isStdio = true;
  readonly guards = new GuardList(['initialize', 'ping']);
  private readonly views = new RestrictedViews(this.guards);
  private readonly whole: LayerView;
  private readonly services: ToolServices;
  private readonly own: OwnTools;

  constructor(
    readonly spawner: FakeSpawner = new FakeSpawner(),
    addPolicy: AddPolicy = ALLOW_ALL,
    pinMode: PinMode = 'warn',
    store?: ServerStore,
  ) {
    const { clock } = this;
    const sandbox = fakeSandbox;
    this.registryRig = RegistryRig.overFakes(spawner, { clock, sandbox, pins: new ToolPins(pinMode) });
    const { registry } = this.registryRig;
    this.services = {
      clock,
      limits: DEFAULT_LIMITS,
      journal: this.journal,
      addPolicy,
      store,
      environment: {},
      audit: (record) => void this.audited.push(record),
    };
    this.own = new OwnTools({ ...this.services, store: undefined });
    const catalogs = new FreshCatalogs(this.own.listedTools, {
      nameBudget: DEFAULT_NAME_BUDGET,
      listPageBytes: 1e9,
    });
    const own = registry.openSession(1);
    this.layers = { own, addRegistry: registry };
    this.whole = layerView(own, catalogs, { isOwnTool: this.isOwnTool });
  }

  /** Calls a tool as a session does, and at once. */
  call(name: string, args?: unknown, signal?: AbortSignal): Promise<string> {
    const context: OwnToolContext = {
      signal: signal ?? new AbortController().signal,
      reportProgress: (message) => void this.progress.push(message),
      client: {
        session: 1,
        layers: this.layers,
        principal: this.principal,
        isStdio: this.isStdio,
        view: this.view,
        isPersistent: true,
        protocol: { era: 'legacy' },
        takesForms: this.userAnswers !== undefined,
        takesUrls: false,
        urlVisited: () => undefined,
        elicit: (params) => {
          this.asked.push((params as { readonly message: string }).message);
          this.onAsked();
          return Promise.resolve(this.userAnswers ?? { problem: 'it cannot ask' });
        },
      },
    };
    const tool = TOOLS.find(({ definition }) => definition.name === name);
    return tool === undefined
      ? this.own.call(name, args, context)
      : runTool(tool, args, createToolContext(this.services, context, this.isOwnTool), z);
  }

  private readonly isOwnTool = (name: string): boolean => this.own.has(name);

  private get view(): CallerView {
    return this.views.viewFor(this.principal, this.whole);
  }

  /** {@link call}, and the result as a client reads it. */
  async result(tool: string, args?: unknown, signal?: AbortSignal): Promise<ToolResult> {
    return JSON.parse(await this.call(tool, args, signal)) as ToolResult;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.registryRig[Symbol.asyncDispose]();
  }
}

/** Nobody tells these catalogs of changes: they are built every time. */
class FreshCatalogs extends Catalogs {
  override catalogFor(layer: Layer<Upstream>): Catalog {
    return new Proxy(super.catalogFor(layer), {
      get: (target, key, receiver) => {
        if (key === 'snapshot' || key === 'list') for (const each of layer.chain) this.invalidate(each);
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
  }
}
