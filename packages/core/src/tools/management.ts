import { NamespaceError } from '@mcpmux/namespace';

import { ErrorCode } from '@mcpmux/wire';
import type { CatalogView } from '../catalog/catalog-view.js';
import { waitAtMost, type Clock } from '../base/clock.js';
import { MuxError } from '../base/errors.js';
import type { Limits } from '../base/limits.js';
import type { Actor } from '../registry/actor.js';
import type { Addition } from '../registry/addition.js';
import type { CallingClient, OwnToolAnswer, OwnToolContext } from '../downstream/caller/own-tool-handler.js';
import { errorResultJson, structuredResultJson } from '../downstream/caller/tool-result.js';
import type { Upstream } from '../upstream/upstream.js';
import { requestAddition, type AddRequest, type AddRequestComponents } from './add-request.js';
import { addedConfig } from './added-config.js';
import { InstanceTools, type ConnectionAnswers } from './instance-tools.js';
import type { InstanceDirectory } from './instances.js';
import { INPUT_SCHEMAS, parseInput, type OwnToolInput } from './input-schemas.js';
import { requireApproval } from './approval.js';
import { auditedServer } from './audit.js';
import type { ServerJournal } from './server-journal.js';
import { requireSeen, requireServer } from './require-seen.js';
import { serverStatus } from './server-status.js';
import { PersistedServers, type Keeping } from './persisted-servers.js';
import { removedJson, serverToolsJson, stillStartingJson } from './server-tools.js';
import { isOwnToolName, type OwnToolName } from './tool-definitions.js';
import { toolDiff } from './tool-diff.js';

/** What {@link Management} works with. */
export interface ManagementComponents extends AddRequestComponents {
  readonly catalog: CatalogView;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly journal: ServerJournal;
  /** Finds other instances; absent where a host knows of none. */
  readonly instances?: InstanceDirectory | undefined;
}

const DEFAULT_SEARCH_LIMIT = 10;
const DEFAULT_LOG_LINES = 50;

/** What each management tool does. Every method returns the structured content of its result as JSON text. */
export class Management {
  private readonly keptServers: PersistedServers | undefined;
  private readonly instanceTools: InstanceTools | undefined;

  constructor(private readonly components: ManagementComponents) {
    const { store, registry, audit, instances } = components;
    if (instances !== undefined) {
      const running = (upstream: Upstream): string => this.toolsJson(upstream);
      const added: ConnectionAnswers['added'] = (addition, context) => this.whenStarted(addition, context);
      this.instanceTools = new InstanceTools({ ...components, instances }, { running, added });
    }
    if (store !== undefined) this.keptServers = new PersistedServers({ store, registry, audit });
  }

  /** Checks the arguments, runs the tool, and turns refusals into answers that a model can act on. */
  async call(tool: string, args: unknown, context: OwnToolContext): Promise<OwnToolAnswer> {
    if (!isOwnToolName(tool)) throw new TypeError(`${tool} is no tool of mcpmux`);
    try {
      const outcome = await this.run(tool, args, context);
      if ('json' in outcome) return { kind: 'result', json: structuredResultJson(outcome.json) };
      return { kind: 'error', error: { code: ErrorCode.InvalidParams, message: outcome.problem } };
    } catch (error) {
      if (!(error instanceof MuxError || error instanceof NamespaceError)) throw error;
      return { kind: 'result', json: errorResultJson(error.message) };
    }
  }

  private async run(tool: OwnToolName, args: unknown, context: OwnToolContext): Promise<Outcome> {
    switch (tool) {
      case 'add_server':
        return this.checkedAdd(parseInput(tool, INPUT_SCHEMAS.add_server, args), context);
      case 'remove_server':
        return withInput(parseInput(tool, INPUT_SCHEMAS.remove_server, args), ({ name }) =>
          this.remove(name, context),
        );
      case 'reload_server':
        return withInput(parseInput(tool, INPUT_SCHEMAS.reload_server, args), (input) =>
          this.reload(input, context),
        );
      case 'list_servers':
        return withInput(parseInput(tool, INPUT_SCHEMAS.list_servers, args), () =>
          Promise.resolve(this.list(context)),
        );
      case 'search_tools':
        return withInput(parseInput(tool, INPUT_SCHEMAS.search_tools, args), (input) =>
          this.search(input, context),
        );
      case 'server_logs':
        return withInput(parseInput(tool, INPUT_SCHEMAS.server_logs, args), (input) =>
          Promise.resolve(this.logs(input, context)),
        );
      case 'call_tool':
        // A session takes such a call for one of the tool that it names, before it comes here.
        return { problem: 'call_tool is for clients of mcpmux: call the tool itself' };
      case 'list_instances':
      case 'connect_instance':
      case 'disconnect_instance':
        return this.instanceTools?.run(tool, args, context) ?? NO_INSTANCES;
    }
  }

  private async checkedAdd(parsed: Parsed<'add_server'>, context: OwnToolContext): Promise<Outcome> {
    if ('problem' in parsed) return parsed;
    const { name, persist: isKept = false } = parsed.input;
    const added = addedConfig(parsed.input);
    if ('problem' in added) return added;
    return { json: await this.add({ name, config: added.config, isKept }, context) };
  }

  private async add(request: AddRequest, context: OwnToolContext): Promise<string> {
    const { name, isKept } = request;
    // Cancelled before it came to this: nobody would tell of it later.
    if (context.signal.aborted) throw new MuxError('CANCELLED', `Adding ${name} was cancelled.`);
    const requested = requestAddition(request, context, this.components);
    return this.whenStarted(requested instanceof Promise ? await requested : requested, context, isKept);
  }

  private async whenStarted(
    addition: Addition,
    { signal, progress, client }: OwnToolContext,
    isKept = false,
  ): Promise<string> {
    progress(`starting ${addition.upstream.name}`);
    // A cancelled add is undone: the caller will not know that the server is there.
    signal.addEventListener('abort', addition.undo, { once: true });
    try {
      const { upstream, started, keep: onLate } = addition;
      return await this.startedOrStarting(upstream, started, {
        onLate,
        keepsFor: isKept ? client.session : undefined,
      });
    } finally {
      signal.removeEventListener('abort', addition.undo);
    }
  }

  /** Hosts give up on a call after 60 s: before that it is answered, and what happens later is announced. */
  private async startedOrStarting(
    upstream: Upstream,
    started: Promise<unknown>,
    { onLate, keepsFor, isReload = false }: StartOptions,
  ): Promise<string> {
    const { clock, limits } = this.components;
    const kept = async (): Promise<Keeping | undefined> =>
      keepsFor === undefined ? undefined : this.keptServers?.keep(upstream, keepsFor);
    if (await waitAtMost(limits.addAnswerTimeoutMs, started, clock)) {
      const keeping = await kept();
      return this.toolsJson(upstream, {
        ...(keeping && { keeping }),
        ...(isReload && { changes: toolDiff(upstream) }),
      });
    }
    onLate?.();
    // Its failure will stand in list_servers.
    started.then(kept).catch(() => undefined);
    return stillStartingJson(upstream, keepsFor !== undefined);
  }

  private toolsJson(upstream: Upstream, more: Parameters<typeof serverToolsJson>[2] = {}): string {
    return serverToolsJson(upstream, this.components.catalog.snapshot(), more);
  }

  private async remove(name: string, { client }: OwnToolContext): Promise<string> {
    const { registry } = this.components;
    const upstream = requireServer(name, client, this.components);
    const gone = registry.remove(name, agent(client));
    // What is not shared was never kept, whatever has been kept under its name.
    const isShared = upstream.scope.isShared;
    const [forgotten = NOTHING_KEPT] = await Promise.all([
      isShared ? this.keptServers?.forget(upstream, client.session) : undefined,
      gone,
    ]);
    return removedJson(name, forgotten);
  }

  private async reload(
    { name, approve = false }: OwnToolInput<'reload_server'>,
    context: OwnToolContext,
  ): Promise<string> {
    const { registry } = this.components;
    const { progress, client } = context;
    const upstream = requireServer(name, client, this.components);
    if (approve) await this.approved(upstream, context);
    progress(`reloading ${name}`);
    return this.startedOrStarting(upstream, registry.reload(name, { approve, by: agent(client) }), {
      isReload: true,
    });
  }

  /** Throws what {@link requireApproval} throws, and tells of it. */
  private async approved(upstream: Upstream, context: OwnToolContext): Promise<void> {
    const { addPolicy, audit } = this.components;
    try {
      await requireApproval(addPolicy, upstream, context);
    } catch (error) {
      const rule = addPolicy.mode;
      const { session } = context.client;
      audit({ action: 'approve', ...auditedServer(upstream), outcome: 'refused', rule, session });
      throw error;
    }
  }

  private async search(
    { query, detail, limit, server }: OwnToolInput<'search_tools'>,
    { client }: OwnToolContext,
  ): Promise<string> {
    if (server !== undefined) requireServer(server, client, this.components);
    // Loaded on the first search: most sessions never make one.
    const { searchTools } = await import('./tool-search.js');
    return searchTools(this.components.catalog.snapshot(), {
      query,
      detail: detail ?? 'description',
      limit: limit ?? DEFAULT_SEARCH_LIMIT,
      server,
    });
  }

  private logs(
    { name, lines = DEFAULT_LOG_LINES }: OwnToolInput<'server_logs'>,
    { client }: OwnToolContext,
  ): string {
    requireSeen(name, client, this.components);
    const { scope } = client;
    const { journal, registry, clock } = this.components;
    const registered = registry.find(name);
    const scopes = registered === undefined ? scope.own.chain : [registered.scope];
    const entries = scopes.map((where) => journal.tail(name, where, lines)).find(Boolean);
    // Throws for a name that nobody ever had, and lists those there are.
    if (entries === undefined) requireServer(name, client, this.components);
    const now = clock.now();
    return JSON.stringify({
      name,
      entries: (entries ?? []).map(({ kind, text, at }) => ({
        kind,
        text,
        seconds_ago: Math.round((now - at) / 100) / 10,
      })),
    });
  }

  private list({ client }: OwnToolContext): string {
    const { registry, catalog, clock } = this.components;
    const snapshot = catalog.snapshot();
    const now = clock.now();
    return JSON.stringify({
      servers: registry
        .list()
        .filter((upstream) => client.view.sees(upstream))
        .map((upstream) => serverStatus(upstream, snapshot, now, registry.supervisorOf(upstream))),
    });
  }
}

/** What an agent does that no policy restricts. */
function agent({ session }: CallingClient): Actor {
  return { rule: 'allow', session };
}

/** What follows from the start of a server. */
interface StartOptions {
  /** Called when it takes longer than an answer may. */
  readonly onLate?: () => void;
  /** The client's session, for which it is kept for later starts once it runs. */
  readonly keepsFor?: number | undefined;
  readonly isReload?: boolean;
}

const NOTHING_KEPT: Keeping = { isDone: false };
const NO_INSTANCES = { problem: 'this mux knows no other instances' };

type Outcome = { readonly json: string } | { readonly problem: string };

type Parsed<Name extends OwnToolName> = { readonly input: OwnToolInput<Name> } | { readonly problem: string };

async function withInput<Input>(
  parsed: { readonly input: Input } | { readonly problem: string },
  run: (input: Input) => Promise<string>,
): Promise<Outcome> {
  return 'problem' in parsed ? parsed : { json: await run(parsed.input) };
}
