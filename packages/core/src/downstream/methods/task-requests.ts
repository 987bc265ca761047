import { qualifyTaskId, splitTaskId } from '@mcpmux/namespace';

import { resultBytesLine, splice } from '@mcpmux/wire';
import type { CatalogView } from '../../catalog/catalog-view.js';
import type { Limits } from '../../base/limits.js';
import { quote } from '../../routing/quote.js';
import type { ServerDirectory } from '../../routing/route-named.js';
import type { ListSpec } from '../../upstream/lists/list-kind.js';
import { readList } from '../../upstream/lists/listing.js';
import type { Upstream } from '../../upstream/upstream.js';
import { isRecord } from '../../base/is-record.js';
import { BackgroundAnswer } from '../request/background-answer.js';
import { invalidParams, textParam, type ClientRequest, type Outcome } from '../request/client-request.js';
import type { CallOwner } from '../request/forwarded-call.js';
import type { Forwarder } from '../request/forwarder.js';
import type { Affinity } from '../caller/affinity.js';
import { bothReaders, resourceReader, taskReader } from '../request/result-reader.js';

const TASKS: ListSpec = { method: 'tasks/list', member: 'tasks', key: 'taskId', noun: 'task' };

/** What {@link TaskRequests} work with. */
export interface TaskComponents {
  readonly directory: ServerDirectory;
  readonly catalog: CatalogView;
  readonly limits: Limits;
  readonly owners: Affinity;
}

/** Carries out the requests of one session about tasks that servers run (tasks of the 2025-11-25 revision). */
export class TaskRequests {
  constructor(
    private readonly owner: CallOwner,
    private readonly forwarder: Forwarder,
    private readonly components: TaskComponents,
  ) {}

  /** `tasks/get`, `tasks/result`, `tasks/cancel`: the id says which server. */
  forward(request: ClientRequest): Outcome {
    const task = textParam(request, 'taskId');
    if (task === undefined) return invalidParams(request.id, 'params.taskId must be a string');
    const { directory, catalog } = this.components;
    const parts = splitTaskId(task.text);
    const upstream = parts && directory.findServer(parts.server);
    // That of another client is none of its business, not even whether it exists.
    if (parts === undefined || upstream === undefined || this.isOfAnother(upstream, task.text))
      return invalidParams(request.id, `Unknown task ${quote(task.text)}`);
    return this.forwarder.forward(request, upstream, {
      edits: [{ span: task.span, bytes: JSON.stringify(parts.local) }],
      // The result of a task is that of the call which made it, and names resources as that would.
      readResult: bothReaders(
        resourceReader(upstream, catalog),
        taskReader(upstream.name, () => undefined),
      ),
      subject: parts.local,
    });
  }

  /** `tasks/list`: those of all servers that can list theirs, on one page. */
  list({ id, params }: ClientRequest): Outcome {
    if (params.has('cursor')) return invalidParams(id, 'Unknown cursor: all tasks are on one page');
    const answer = new BackgroundAnswer(this.owner, id);
    const able = this.components.directory.snapshot().upstreams.filter(canListTasks);
    answer.run(async () => {
      const lists = await Promise.all(able.map((upstream) => this.tasksOf(upstream)));
      const entries = lists.flat().join(',');
      return resultBytesLine(id, Buffer.from(`{"tasks":[${entries}]}`));
    });
    return { inFlight: answer };
  }

  private isOfAnother(upstream: Upstream, id: string): boolean {
    const owner = this.components.owners.ofTask(upstream, id);
    return typeof owner === 'object' && owner.client !== this.owner;
  }

  private async tasksOf(upstream: Upstream): Promise<readonly string[]> {
    const { connection, name } = upstream;
    const { limits } = this.components;
    if (connection === undefined) return [];
    // One server that fails must not keep the tasks of the others from the client.
    const listing = await readList(connection, TASKS, limits, () => limits.listTimeoutMs).catch(
      () => undefined,
    );
    return (listing?.items ?? []).flatMap(({ bytes, key, keySpan }) => {
      const id = qualifyTaskId(name, key);
      if (this.isOfAnother(upstream, id)) return [];
      const renamed = splice(bytes, [{ span: keySpan, bytes: JSON.stringify(id) }]);
      return [renamed.subarray(0, -1).toString('utf8')];
    });
  }
}

function canListTasks({ identity, connection }: Upstream): boolean {
  const tasks = identity?.capabilities['tasks'];
  return connection !== undefined && isRecord(tasks) && tasks['list'] !== undefined;
}
