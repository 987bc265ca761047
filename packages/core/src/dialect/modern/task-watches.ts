import { splice, valuePaths, valueSpans } from '@mcpmux/wire';
import type { Caller } from '../../downstream/caller/caller.js';
import type { MethodParts } from '../../downstream/methods/handler.js';
import { taskOf, type RoutedTask } from '../../downstream/methods/task-route.js';
import type { ServerNotification } from '../../upstream/link/pending-call.js';
import type { ServerEvent } from '../../upstream/run/run-inbox.js';
import type { Upstream } from '../../upstream/upstream.js';
import { declaresTasks } from '../tasks-extension.js';
import { taskEdits } from './task-edits.js';

const PARAMS = valuePaths([['params']]);

/** The tasks that one listener is told of. */
export class TaskWatches {
  /** By the id that the client knows. */
  private readonly watched = new Map<string, RoutedTask>();
  private isOver = false;

  constructor(
    private readonly caller: Caller,
    private readonly parts: Pick<MethodParts, 'affinity' | 'limits' | 'listens'>,
  ) {}

  /** The ids, as the client knows them. */
  get ids(): readonly string[] {
    return [...this.watched.keys()];
  }

  /** Resolves when the server has agreed to tell, or has not. */
  async watch(id: string): Promise<void> {
    const { caller, parts } = this;
    const task = taskOf(id, caller, parts.affinity);
    const dialect = task?.upstream.connection?.dialect;
    if (!declaresTasks(caller.profile?.capabilities) || task === undefined) return;
    if (dialect?.watchTask === undefined) return;
    try {
      await dialect.watchTask(task.local, true, parts.limits.listTimeoutMs);
    } catch {
      return;
    }
    this.watched.set(id, task);
    if (this.isOver) this.end();
  }

  has(upstream: Upstream, local: string): boolean {
    return [...this.watched.values()].some((task) => task.upstream === upstream && task.local === local);
  }

  /** The listener is gone: what nobody else watches is given up. */
  end(): void {
    this.isOver = true;
    const { listens, limits } = this.parts;
    for (const { upstream, local } of this.watched.values()) {
      if (listens.watching(upstream, local).length > 0) continue;
      const { dialect } = upstream.connection ?? {};
      dialect?.watchTask?.(local, false, limits.listTimeoutMs).catch(() => undefined);
    }
    this.watched.clear();
  }

  /** The notification as the client is to see it; undefined when it cannot be told. */
  told({ line, upstream, connection }: ServerEvent<Upstream, ServerNotification>): Buffer | undefined {
    const { profile, view } = this.caller;
    const capabilities = profile?.capabilities ?? {};
    const [params] = valueSpans(line, { start: 0, end: line.length }, PARAMS);
    if (params === undefined) return undefined;
    const reading = { upstream, connection, capabilities, catalog: view.catalog };
    const edits = taskEdits(line, params.span, reading);
    return 'problem' in edits ? undefined : splice(line, edits);
  }
}
