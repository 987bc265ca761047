import { type Edit, type Span, stringAt, valuePaths, valueSpans } from '@mcpmux/wire';
import type { CatalogView } from '../../catalog/catalog-view.js';
import { resourceEdits } from '../request/result-reader.js';
import type { Connection } from '../../server/link/connection.js';
import type { Upstream } from '../../server/upstream.js';
import type { ClientProfile } from '../../server/dialect/client-profile.js';
import { inputEdits, inputProblem, readInputRequests } from './input-requests.js';
import { clientTaskId } from '../../server/client-task-id.js';

const PARTS = valuePaths([['taskId'], ['result'], ['inputRequests']]);

/** The server of a task, its connection, and the required data about the client. */
export interface TaskReading {
  readonly upstream: Upstream;
  readonly connection: Connection;
  readonly capabilities: ClientProfile['capabilities'];
  readonly catalog: CatalogView;
}

/**
 * Returns the edits in a modern server's task for a modern client: of the task's id, of its questions, which get the
 * server's name, and of the resource URIs in its result. Returns a problem if the questions are unreadable or cannot be
 * sent to the client.
 *
 * @param task the span of the task: a result, or the params of a notification
 */
export function taskEdits(
  line: Buffer,
  task: Span,
  reading: TaskReading,
): readonly Edit[] | { readonly problem: string } {
  const { upstream } = reading;
  const edits: Edit[] = [];
  for (const { path, span } of valueSpans(line, task, PARTS)) {
    if (path === 'taskId') edits.push(...idEdits(line, span, upstream));
    else if (path === 'result') edits.push(...resourceEdits(line, span, reading));
    else {
      const labels = questionEdits(line, span, reading);
      if ('problem' in labels) return labels;
      edits.push(...labels);
    }
  }
  return edits;
}

/**
 * Returns the edits in the questions of a task for a client that shows them to its user.
 *
 * @param questionsSpan the span of `inputRequests`
 */
export function questionEdits(
  line: Buffer,
  asked: Span,
  { upstream, connection, capabilities }: Omit<TaskReading, 'catalog'>,
): readonly Edit[] | { readonly problem: string } {
  const requests = readInputRequests(line, asked);
  if (requests === undefined) return { problem: 'its inputRequests cannot be read' };
  const edits: Edit[] = [];
  for (const request of requests) {
    const problem = inputProblem(request, upstream, capabilities);
    if (problem !== undefined) return { problem };
    for (const { span, bytes } of inputEdits(request, upstream, connection, capabilities))
      edits.push({ span: { start: span.start + request.shift, end: span.end + request.shift }, bytes });
  }
  return edits;
}

function idEdits(line: Buffer, span: Span, upstream: Upstream): readonly Edit[] {
  const local = stringAt(line, span);
  return local === undefined ? [] : [{ span, bytes: JSON.stringify(clientTaskId(upstream, local)) }];
}
