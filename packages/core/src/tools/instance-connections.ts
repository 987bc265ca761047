import { MuxError } from '../base/errors.js';
import type { OwnToolContext } from '../downstream/caller/own-tool-handler.js';
import type { Limits } from '../base/limits.js';
import type { Addition } from '../registry/addition.js';
import type { Registry } from '../registry/registry.js';
import { isStreams, type StreamConfig } from '../upstream/config/server-config.js';
import type { Upstream } from '../upstream/upstream.js';
import type { AddPolicy } from './add-policy.js';
import { requireConnection, requireInstances } from './connection-gate.js';
import { connectionName } from './connection-name.js';
import type { Instance, InstanceDirectory } from './instances.js';
import { isOwnToolName } from './tool-definitions.js';

/** What {@link InstanceConnections} work with. */
export interface InstanceConnectionComponents {
  readonly instances: InstanceDirectory;
  readonly addPolicy: AddPolicy;
  readonly limits: Limits;
}

/** An instance, and what a session calls its connection to it. */
export interface SeenInstance {
  readonly instance: Instance;
  readonly connection: Upstream | undefined;
}

const PREFIX = 'mcpmux:';
const ADVICE =
  'If it has ended, call disconnect_instance, and list_instances for those that run now and connect_instance for one of them.';

/** The connections of sessions to other instances. Each is a server in the registry of its session, and nobody else's. */
export class InstanceConnections {
  constructor(private readonly components: InstanceConnectionComponents) {}

  /** @throws MuxError REFUSED by the policy */
  async list({ client }: OwnToolContext): Promise<readonly SeenInstance[]> {
    requireInstances(this.components.addPolicy);
    const found = await this.components.instances.list();
    const open = this.openIn(client.scope.own);
    return found.map((instance) => ({
      instance,
      connection: open.find((upstream) => instanceOf(upstream) === instance.id),
    }));
  }

  /**
   * Begins a connection, or gives the one there is.
   *
   * @throws MuxError INSTANCE_NOT_FOUND, REFUSED, CANCELLED, SERVER_EXISTS, and what {@link Registry.add} throws
   */
  async connect(id: string, name: string | undefined, context: OwnToolContext): Promise<Addition | Upstream> {
    const { addPolicy } = this.components;
    const { client, signal } = context;
    const instance = await this.find(id);
    await requireConnection(addPolicy, instance, context);
    // The session may have ended meanwhile, and what is added for it now would stay for ever.
    if (signal.aborted) throw new MuxError('CANCELLED', `Connecting to ${id} was cancelled.`);
    const registry = client.scope.own;
    const by = { rule: addPolicy.mode, session: client.session };
    const known = this.openIn(registry).find((upstream) => instanceOf(upstream) === id);
    if (known?.state.kind === 'running') return known;
    // One that is lost is connected anew, under the name that it had.
    if (known !== undefined) void registry.remove(known.name, by);
    this.checkCount(registry);
    const given = name ?? known?.name ?? connectionName(instance.name, (one) => isTaken(registry, one));
    return registry.add(given, this.configOf(instance), {
      by,
      sees: client.view.sees,
      view: WITHOUT_MANAGEMENT,
    });
  }

  /**
   * Ends a connection: the one to this instance, or the only one.
   *
   * @throws MuxError INSTANCE_NOT_FOUND when there is none, or it cannot be told which is meant
   */
  async disconnect(id: string | undefined, { client }: OwnToolContext): Promise<SeenConnection> {
    const registry = client.scope.own;
    const open = this.openIn(registry);
    const meant = open.filter((one) => id === undefined || instanceOf(one) === id || one.name === id);
    const [connection] = meant;
    if (connection === undefined || meant.length > 1) throw notConnected(id, open);
    await registry.remove(connection.name, { rule: 'host', session: client.session });
    return { name: connection.name, id: instanceOf(connection) ?? '' };
  }

  private async find(id: string): Promise<Instance> {
    requireInstances(this.components.addPolicy);
    const found = await this.components.instances.list();
    const instance = found.find((one) => one.id === id);
    if (instance !== undefined) return instance;
    const known = found.length === 0 ? 'No other runs' : `Running: ${found.map((one) => one.id).join(', ')}`;
    const message = `No instance with the id ${JSON.stringify(id)} runs. ${known}. Call list_instances for what they are.`;
    throw new MuxError('INSTANCE_NOT_FOUND', message);
  }

  private checkCount(registry: Registry): void {
    const { maxInstancesPerClient } = this.components.limits;
    if (this.openIn(registry).length < maxInstancesPerClient) return;
    throw new MuxError(
      'REFUSED',
      `This session is connected to ${maxInstancesPerClient} instances, which is the limit. Call disconnect_instance for one of them first.`,
    );
  }

  private openIn(registry: Registry): readonly Upstream[] {
    return registry.registered().filter((upstream) => instanceOf(upstream) !== undefined);
  }

  private configOf(instance: Instance): StreamConfig {
    const { instances, limits } = this.components;
    return {
      address: `${PREFIX}${instance.id}`,
      open: () => instances.open(instance),
      advice: ADVICE,
      startTimeoutMs: limits.instanceStartTimeoutMs,
      callTimeoutMs: limits.instanceCallTimeoutMs,
      // A mux answers pings whatever its servers do.
      health: { intervalMs: limits.instancePingMs, timeoutMs: limits.instancePingMs, failures: 2 },
    };
  }
}

/** A connection that was ended. */
export interface SeenConnection {
  readonly name: string;
  readonly id: string;
}

/** An instance's own tools for managing it are twice what clients have already: they can be called, and are not listed. */
const WITHOUT_MANAGEMENT = {
  shown: (tool: string) => (isOwnToolName(tool) ? { isHidden: true } : undefined),
};

function instanceOf({ config }: Upstream): string | undefined {
  return isStreams(config) && config.address.startsWith(PREFIX)
    ? config.address.slice(PREFIX.length)
    : undefined;
}

function isTaken(registry: Registry, name: string): boolean {
  try {
    registry.checkName(name);
    return false;
  } catch (error) {
    if (error instanceof MuxError && error.code === 'SERVER_EXISTS') return true;
    throw error;
  }
}

function notConnected(id: string | undefined, open: readonly Upstream[]): MuxError {
  const connected = open.map((one) => `${instanceOf(one) ?? ''} (${one.name})`).join(', ');
  const known =
    open.length === 0
      ? 'This session is connected to no instance. Call list_instances, then connect_instance.'
      : `Connected: ${connected}.`;
  const problem =
    id === undefined
      ? 'It is not clear which instance is meant.'
      : `There is no connection to ${JSON.stringify(id)}.`;
  return new MuxError('INSTANCE_NOT_FOUND', open.length === 0 ? known : `${problem} ${known}`);
}
