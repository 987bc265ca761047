import { FairMap } from '@mcpmux/kit';
import type { Upstream } from '../../server/upstream.js';

/** Tasks of one server that are remembered, see {@link weightOf}; the oldest give way. */
const MAX_TASKS = { perOwner: 1000, all: 4000 };

/** Most bytes that count as one task. */
const BYTES_OF_TASK = 16 * 1024;

/** A task as its client was told of it last. */
export interface KnownTask {
  /** The task in the words of its client, with the id that the client knows. */
  readonly reported: Readonly<Record<string, unknown>> & { readonly taskId: string };
  /** For what the server had finished at once, without a task: the result, JSON. */
  readonly result?: Buffer;
}

/** Remembers tasks of servers that cannot say it themselves: which there are, which were given up, and early results. */
export class TaskLedger {
  private readonly tasks = new WeakMap<object, FairMap<string, KnownTask>>();

  /** @param principal the id of its owner */
  set(upstream: Upstream, task: KnownTask, principal: string): void {
    const all = this.tasks.get(upstream) ?? new FairMap<string, KnownTask>(MAX_TASKS);
    this.tasks.set(upstream, all);
    all.set(task.reported.taskId, task, principal, weightOf(task));
  }

  /** @param id as the client knows it */
  get(upstream: Upstream, id: string): KnownTask | undefined {
    return this.tasks.get(upstream)?.get(id);
  }

  of(upstream: Upstream): readonly KnownTask[] {
    return this.tasks.get(upstream)?.values() ?? [];
  }

  /** The server begins anew: it may give the same ids to other tasks. */
  forget(server: object): void {
    this.tasks.delete(server);
  }
}

/** A task with a large result, or with a long message, counts as several. */
function weightOf({ reported, result }: KnownTask): number {
  return Math.ceil((JSON.stringify(reported).length + (result?.length ?? 0)) / BYTES_OF_TASK);
}
