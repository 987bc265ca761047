import type { Clock, Timer } from '../base/clock.js';
import type { Registry } from './registry.js';

/** Which layers a client is in. */
export interface Isolation {
  /** What it adds is there for all that name the same workspace, and for nobody else. For all clients when absent. */
  readonly workspace?: string;
  /** What it adds is there for it alone, until it goes: no other client sees or reaches it. False when absent. */
  readonly isolated?: boolean;
}

/** The registries of one session. */
export interface SessionLayers {
  /** 1 for the first session of the mux. */
  readonly session: number;
  /** What the session sees. */
  readonly own: Registry;
  /** Where the servers are that it adds. */
  readonly adds: Registry;
  /** The session has ended: its servers end. Resolves when no process of them is left. */
  close(): Promise<void>;
}

interface Workspace {
  readonly registry: Registry;
  sessions: number;
  timer: Timer | undefined;
}

/** Opens the registries of sessions, and closes workspaces that no session has been in for long. */
export class Layers {
  private readonly workspaces = new Map<string, Workspace>();
  private sessions = 0;
  private made = 0;

  /** @param workspaceIdleMs how long a workspace without sessions keeps its servers */
  constructor(
    private readonly shared: Registry,
    private readonly clock: Clock,
    private readonly workspaceIdleMs: number,
  ) {}

  open({ workspace: name, isolated = false }: Isolation = {}): SessionLayers {
    this.sessions += 1;
    const session = this.sessions;
    const workspace = name === undefined ? undefined : this.enter(name);
    const around = workspace?.registry ?? this.shared;
    const own = around.openSession(session);
    const close = async (): Promise<void> => {
      if (name !== undefined && workspace !== undefined) this.leave(name, workspace);
      await own.close({ rule: 'session ended', session });
    };
    return { session, own, adds: isolated ? own : around, close };
  }

  /** Opens the layers of one request without a session: templates have no instance there. */
  visit(name: string | undefined): SessionLayers {
    this.sessions += 1;
    const workspace = name === undefined ? undefined : this.enter(name);
    const own = workspace?.registry ?? this.shared;
    const close = (): Promise<void> => {
      if (name !== undefined && workspace !== undefined) this.leave(name, workspace);
      return Promise.resolve();
    };
    return { session: this.sessions, own, adds: own, close };
  }

  /** Closes no workspace any more: everything ends. */
  close(): void {
    for (const { timer } of this.workspaces.values()) timer?.cancel();
    this.workspaces.clear();
  }

  private enter(name: string): Workspace {
    const workspace = this.workspaces.get(name) ?? this.newWorkspace();
    this.workspaces.set(name, workspace);
    workspace.timer?.cancel();
    workspace.sessions += 1;
    return workspace;
  }

  private newWorkspace(): Workspace {
    this.made += 1;
    // A number: a name of clients' making may look like another layer.
    const registry = this.shared.openWorkspace(`workspace ${this.made}`);
    return { registry, sessions: 0, timer: undefined };
  }

  private leave(name: string, workspace: Workspace): void {
    workspace.sessions -= 1;
    if (workspace.sessions > 0 || this.workspaces.get(name) !== workspace) return;
    workspace.timer = this.clock.schedule(() => {
      this.workspaces.delete(name);
      void workspace.registry.close({ rule: 'workspace abandoned' });
    }, this.workspaceIdleMs);
  }
}
