import { type Clock, MuxError, quote, type Timer } from '@mcpmux/kit';
import type { Registry } from './registry.js';

/** The settings that determine which layers a client uses. */
export interface Isolation {
  /**
   * The workspace whose clients share the servers that they add, unseen by others. If absent, all clients share them.
   */
  readonly workspace?: string;
  /** True if only the client itself sees the servers that it adds, until it disconnects. Defaults to false. */
  readonly isolated?: boolean;
  /** The working directory of the client, and of servers that it adds without one. Defaults to the host's. */
  readonly folder?: string;
}

/** A workspace that the host has opened for its own servers. */
export interface HostWorkspace {
  readonly registry: Registry;
  /** Removes the workspace's servers. Resolves when all their processes have ended. */
  close(): Promise<void>;
}

/** The {@link Isolation} for one request. */
interface RequestPlacement {
  readonly workspace?: string | undefined;
  readonly isolated?: boolean | undefined;
  /** The id of a layer to use instead of the workspace's layer. */
  readonly layer?: string | undefined;
}

/** The registries of one session. */
export interface SessionLayers {
  /** The session's number, starting at 1. */
  readonly session: number;
  /** The registry with the servers that the session can see. */
  readonly own: Registry;
  /** The registry to which the session adds servers. */
  readonly addRegistry: Registry;
  /** The client's working directory, if the host has set it. */
  readonly folder?: string | undefined;
  /** True if only the session would see a server that it adds. Defaults to false. */
  readonly isolated?: boolean;
  /** Ends the session and its servers. Resolves when all of their processes have ended. */
  close(): Promise<void>;
}

interface Workspace {
  readonly registry: Registry;
  sessionCount: number;
  timer: Timer | undefined;
}

/** Opens registries for sessions, and closes workspaces that have had no session for too long. */
export class Layers {
  private readonly workspaces = new Map<string, Workspace>();
  private readonly requestRegistries = new WeakMap<Registry, Registry>();
  private sessionCount = 0;
  private workspaceCount = 0;
  private isClosed = false;

  /**
   * @param workspaceIdleMs how long a workspace without sessions keeps its servers, in milliseconds
   * @param hasWindows true if isolated sessions are windows, whose layers other sessions may use
   */
  constructor(
    private readonly shared: Registry,
    private readonly clock: Clock,
    private readonly workspaceIdleMs: number,
    private readonly hasWindows = false,
  ) {}

  openSession({ workspace: name, isolated = false, folder }: Isolation = {}): SessionLayers {
    const { session, around, release } = this.enterWorkspace(name);
    const closeSession = async (own: Registry): Promise<void> => {
      release();
      await own.close({ rule: 'session ended', session });
    };
    if (isolated && this.hasWindows) {
      const addRegistry = around.openWindow(session);
      const own = addRegistry.openSession(session);
      const close = async (): Promise<void> => {
        await Promise.all([closeSession(own), addRegistry.close({ rule: 'session ended', session })]);
      };
      return { session, own, addRegistry, folder, close };
    }
    const own = around.openSession(session);
    return { session, own, addRegistry: isolated ? own : around, folder, close: () => closeSession(own) };
  }

  /** Opens a session that sees the servers which another session has added, and adds servers to the same registry. */
  openSessionBeside({ addRegistry, folder }: SessionLayers): SessionLayers {
    this.sessionCount += 1;
    const session = this.sessionCount;
    const own = addRegistry.openSession(session);
    return { session, own, addRegistry, folder, close: () => own.close({ rule: 'session ended', session }) };
  }

  /** Opens a workspace for the host. It lasts until the host closes it, even without sessions. */
  openWorkspace(name: string): HostWorkspace {
    const workspace = this.acquireWorkspace(name);
    const { registry } = workspace;
    return {
      registry,
      close: () => {
        workspace.sessionCount -= 1;
        if (this.workspaces.get(name) === workspace) this.workspaces.delete(name);
        return registry.close({ rule: 'workspace abandoned' });
      },
    };
  }

  /** Opens the registries for one request without a session. They contain the layer's servers but no instances. */
  openForRequest({ workspace: name, isolated = false, layer }: RequestPlacement): SessionLayers {
    const requestedLayer = layer === undefined ? undefined : this.registryOf(layer);
    const { session, around, release } = this.enterWorkspace(name);
    const addRegistry = requestedLayer ?? around;
    const close = (): Promise<void> => {
      release();
      return Promise.resolve();
    };
    return { session, own: this.requestRegistryOf(addRegistry), addRegistry, isolated, close };
  }

  /**
   * Returns the registry of the layer with this id, or the shared registry if the id is absent.
   *
   * @throws MuxError SERVER_NOT_FOUND for a layer that has ended
   */
  registryOf(id: string = this.shared.id): Registry {
    const registry = this.shared.findLayer(id);
    if (registry !== undefined) return registry;
    const message = `There is no layer ${quote(id)} any more: its session or workspace has ended, with its servers.`;
    throw new MuxError('SERVER_NOT_FOUND', message);
  }

  /** Stops closing unused workspaces, because the mux is closing. */
  close(): void {
    this.isClosed = true;
    for (const { timer } of this.workspaces.values()) timer?.cancel();
    this.workspaces.clear();
  }

  /**
   * Returns the registry that all of a layer's sessionless requests share. It contains neither servers nor templates.
   */
  private requestRegistryOf(layer: Registry): Registry {
    const requestRegistry =
      this.requestRegistries.get(layer) ?? layer.openWorkspace(`requests in ${layer.id}`);
    this.requestRegistries.set(layer, requestRegistry);
    return requestRegistry;
  }

  private enterWorkspace(name: string | undefined) {
    this.sessionCount += 1;
    const session = this.sessionCount;
    const workspace = name === undefined ? undefined : this.acquireWorkspace(name);
    const release = (): void => {
      if (name !== undefined && workspace !== undefined) this.leaveWorkspace(name, workspace);
    };
    return { session, around: workspace?.registry ?? this.shared, release };
  }

  /** Returns the workspace with this name, and increments its session count. */
  private acquireWorkspace(name: string): Workspace {
    const workspace = this.workspaces.get(name) ?? this.createWorkspace(name);
    this.workspaces.set(name, workspace);
    workspace.timer?.cancel();
    workspace.sessionCount += 1;
    return workspace;
  }

  private createWorkspace(name: string): Workspace {
    this.workspaceCount += 1;
    // The id contains a number instead of the name, because a client may choose a name that looks like another id.
    const registry = this.shared.openWorkspace(`workspace ${this.workspaceCount}`, { workspace: name });
    return { registry, sessionCount: 0, timer: undefined };
  }

  private leaveWorkspace(name: string, workspace: Workspace): void {
    workspace.sessionCount -= 1;
    if (this.isClosed || workspace.sessionCount > 0 || this.workspaces.get(name) !== workspace) return;
    workspace.timer = this.clock.schedule(() => {
      this.workspaces.delete(name);
      void workspace.registry.close({ rule: 'workspace abandoned' });
    }, this.workspaceIdleMs);
  }
}
