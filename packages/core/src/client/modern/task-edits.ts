import { type Edit, type Span, stringAt, valuePaths, valueSpans } from '@mcpmux/wire';
import type { CatalogView } from '../../catalog/catalog-view.js';
import { resourceEdits } from '../request/result-reader.js';
import type { Connection } from '../../server/link/connection.js';
import type { Upstream } from '../../server/upstream.js';
import type { ClientProfile } from '../../server/dialect/client-profile.js';
import { inputEdits, inputProblem, readInputRequests } from './input-requests.js';
import { clientTaskId } from '../../server/client-task-id.js';

const TASK_MEMBER_PATHS = valuePaths([['taskId'], ['result'], ['inputRequests']]);

/** The context for editing a task: its server and connection, and the receiving client's capabilities and catalog. */
export interface TaskContext {
  readonly upstream: Upstream;
  readonly connection: Connection;
  readonly capabilities: ClientProfile['capabilities'];
  readonly catalog: CatalogView;
}

/**
 * Returns the edits to make to a modern server's task before it is sent to a modern client: to its id, its questions,
 * and the resource URIs in its result. Returns a problem if the questions are unreadable or cannot be sent to the
 * client.
 *
 * @param task the span of the task: a result, or the params of a notification
 */
export function taskEdits(
  line: Buffer,
  task: Span,
  context: TaskContext,
): readonly Edit[] | { readonly problem: string } {
  const { upstream } = context;
  const edits: Edit[] = [];
  for (const { path, span } of valueSpans(line, task, TASK_MEMBER_PATHS)) {
    if (path === 'taskId') edits.push(...idEdits(line, span, upstream));
    else if (path === 'result') edits.push(...resourceEdits(line, span, context));
    else {
      const questionLabels = questionEdits(line, span, context);
      if ('problem' in questionLabels) return questionLabels;
      edits.push(...questionLabels);
    }
  }
  return edits;
}

/**
 * Returns the edits to make to a server's questions before they are sent to the client, or the problem with them.
 *
 * @param questionsSpan the span of `inputRequests`
 */
export function questionEdits(
  line: Buffer,
  questionsSpan: Span,
  { upstream, connection, capabilities }: Omit<TaskContext, 'catalog'>,
): readonly Edit[] | { readonly problem: string } {
  const requests = readInputRequests(line, questionsSpan);
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
