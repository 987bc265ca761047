import type { Clock, Timer } from '../base/clock.js';
import { SHARED, Scope } from '../upstream/config/scope.js';

/** What {@link Workspaces} work with. */
export interface WorkspacesComponents {
  readonly clock: Clock;
  /** How long a workspace without sessions keeps its servers, in milliseconds. */
  readonly idleMs: number;
  /** Nobody will come back to what is in this scope. */
  readonly abandoned: (scope: Scope) => void;
}

interface Workspace {
  readonly scope: Scope;
  sessions: number;
  timer: Timer | undefined;
}

/** The scopes that sessions share by name. One that nobody is in for long is given up with its servers. */
export class Workspaces {
  private readonly byName = new Map<string, Workspace>();
  private made = 0;

  constructor(private readonly components: WorkspacesComponents) {}

  get size(): number {
    return this.byName.size;
  }

  /** The scope of that name, and what is to be called once when a session that is in it has ended. */
  enter(name: string): { readonly scope: Scope; readonly leave: () => void } {
    const workspace = this.byName.get(name) ?? this.make(name);
    workspace.timer?.cancel();
    workspace.timer = undefined;
    workspace.sessions += 1;
    return { scope: workspace.scope, leave: () => this.leave(name, workspace) };
  }

  /** Gives none up any more: everything ends. */
  close(): void {
    for (const { timer } of this.byName.values()) timer?.cancel();
    this.byName.clear();
  }

  private make(name: string): Workspace {
    this.made += 1;
    // A number: a name of clients' making may look like another scope.
    const workspace = { scope: new Scope(`workspace ${this.made}`, SHARED), sessions: 0, timer: undefined };
    this.byName.set(name, workspace);
    return workspace;
  }

  private leave(name: string, workspace: Workspace): void {
    workspace.sessions -= 1;
    if (workspace.sessions > 0 || this.byName.get(name) !== workspace) return;
    const { clock, idleMs, abandoned } = this.components;
    workspace.timer = clock.schedule(() => {
      this.byName.delete(name);
      abandoned(workspace.scope);
    }, idleMs);
  }
}
