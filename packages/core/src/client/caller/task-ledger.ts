import { FairMap } from '@mcpmux/kit';
import type { Upstream } from '../../server/upstream.js';

/** The maximum weight of a server's remembered tasks, per owner and in total. The oldest tasks are evicted. */
const MAX_TASKS = { perOwner: 1000, all: 4000 };

/** A task weighs 1 per this many bytes of its JSON, rounded up. */
const TASK_UNIT_BYTES = 16 * 1024;

/** A task as last reported to its client. */
export interface KnownTask {
  /** The task in the format of the client's era, with the id that the client knows. */
  readonly report: Readonly<Record<string, unknown>> & { readonly taskId: string };
  /** The result as JSON, if the server answered immediately instead of creating a task. */
  readonly result?: Buffer;
}

/**
 * Remembers tasks that servers cannot report: tasks of servers without `tasks/list`, cancelled tasks, and calls that
 * were answered without a task.
 */
export class TaskLedger {
  private readonly tasks = new WeakMap<object, FairMap<string, KnownTask>>();

  /** @param principal the id of the owner's principal */
  set(upstream: Upstream, task: KnownTask, principal: string): void {
    const serverTasks = this.tasks.get(upstream) ?? new FairMap<string, KnownTask>(MAX_TASKS);
    this.tasks.set(upstream, serverTasks);
    serverTasks.set(task.report.taskId, task, principal, weightOf(task));
  }

  /** @param id the id that the client knows */
  get(upstream: Upstream, id: string): KnownTask | undefined {
    return this.tasks.get(upstream)?.get(id);
  }

  tasksOf(upstream: Upstream): readonly KnownTask[] {
    return this.tasks.get(upstream)?.values() ?? [];
  }

  /** Forgets the tasks of a server that was restarted or removed, because it may reuse their ids. */
  forget(server: object): void {
    this.tasks.delete(server);
  }
}

function weightOf({ report, result }: KnownTask): number {
  return Math.ceil((JSON.stringify(report).length + (result?.length ?? 0)) / TASK_UNIT_BYTES);
}
