import type { Clock, Timer } from '../base/clock.js';
import type { Registry } from './registry.js';

/** Which layers a session is in. */
export interface Isolation {
  /** Shares what it adds with the sessions that name the same workspace, who see nothing of other workspaces. */
  readonly workspace?: string | undefined;
  /** Shares what it adds with nobody: it is there for this session alone, until it ends. */
  readonly isAlone?: boolean | undefined;
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

/** What {@link Layers} works with. */
export interface LayersComponents {
  readonly shared: Registry;
  readonly clock: Clock;
  /** How long a workspace without sessions keeps its servers, in milliseconds. */
  readonly workspaceIdleMs: number;
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

  constructor(private readonly components: LayersComponents) {}

  open({ workspace: name, isAlone = false }: Isolation = {}): SessionLayers {
    this.sessions += 1;
    const session = this.sessions;
    const workspace = name === undefined ? undefined : this.enter(name);
    const around = workspace?.registry ?? this.components.shared;
    const own = around.openSession(session);
    const close = async (): Promise<void> => {
      if (name !== undefined && workspace !== undefined) this.leave(name, workspace);
      await own.close({ rule: 'session ended', session });
    };
    return { session, own, adds: isAlone ? own : around, close };
  }

  /** Opens the layers of one request without a session: templates have no instance there. */
  visit(name: string | undefined): SessionLayers {
    this.sessions += 1;
    const workspace = name === undefined ? undefined : this.enter(name);
    const own = workspace?.registry ?? this.components.shared;
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
    workspace.timer = undefined;
    workspace.sessions += 1;
    return workspace;
  }

  private newWorkspace(): Workspace {
    this.made += 1;
    // A number: a name of clients' making may look like another layer.
    const registry = this.components.shared.openWorkspace(`workspace ${this.made}`);
    return { registry, sessions: 0, timer: undefined };
  }

  private leave(name: string, workspace: Workspace): void {
    workspace.sessions -= 1;
    if (workspace.sessions > 0 || this.workspaces.get(name) !== workspace) return;
    const { clock, workspaceIdleMs } = this.components;
    workspace.timer = clock.schedule(() => {
      this.workspaces.delete(name);
      void workspace.registry.close({ rule: 'workspace abandoned' });
    }, workspaceIdleMs);
  }
}
