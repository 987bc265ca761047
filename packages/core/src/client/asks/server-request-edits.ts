import { isRecord } from '@mcpmux/kit';
import { splitTaskId, type ServerName } from '@mcpmux/namespace';

import { type Edit, type ParamSpans, type Span, stringAt, valuePaths, valueSpans } from '@mcpmux/wire';
import type { ServerRequest } from '../../server/link/pending-call.js';
import type { ServerEvent } from '../../server/run/run-inbox.js';
import { inputKindOf } from '../../server/dialect/client-requests.js';
import { isStreams, type AnyServerConfig } from '../../server/config/server-config.js';
import { RELATED_TASK, RELATED_TASK_PATH } from '../../server/link/server-paths.js';
import { clientTaskId } from '../../server/client-task-id.js';

/** The `_meta` key that carries the requesting server's name. */
export const SERVER_NAME_KEY = 'dev.mcpmux/server';

const OPEN_BRACE = 0x7b;
const RELATED_TASK_PATHS = valuePaths([RELATED_TASK]);
const CREATED_TASK_PATHS = valuePaths([['task', 'taskId']]);

interface RequestingServer {
  readonly name: ServerName;
  readonly config?: AnyServerConfig;
}

/**
 * Returns the edits to a server's request before it is sent to a client, except for its id and progress token.
 *
 * A client must show its user which server is asking, but it knows only mcpmux. The server's name is therefore added to
 * an elicitation's message, or to the `_meta` of a sampling request.
 */
export function serverRequestEdits(
  { upstream, line, message }: ServerEvent<RequestingServer, ServerRequest>,
  capabilities: Readonly<Record<string, unknown>>,
): readonly Edit[] {
  const { method, params } = message;
  const server = upstream.name;
  const task = taskIdEdits(line, params, upstream);
  if (upstream.config !== undefined && isStreams(upstream.config) && upstream.config.isNamed === true)
    return [...task, ...contextEdits(line, params, capabilities)];
  switch (inputKindOf(method)) {
    case 'elicitation':
      return [...task, ...messageLabelEdits(line, params, server)];
    case 'sampling':
      return [...task, ...metaLabelEdits(line, params, server), ...contextEdits(line, params, capabilities)];
    case 'roots':
    case undefined:
      return task;
  }
}

function taskIdEdits(line: Buffer, params: ParamSpans, server: RequestingServer): readonly Edit[] {
  const span = params.get(RELATED_TASK_PATH);
  const local = span && stringAt(line, span);
  return span === undefined || local === undefined
    ? []
    : [{ span, bytes: JSON.stringify(clientTaskId(server, local)) }];
}

function messageLabelEdits(line: Buffer, params: ParamSpans, server: ServerName): readonly Edit[] {
  const span = params.get('message');
  if (span === undefined || stringAt(line, span) === undefined) return [];
  return [insertion(span.start + 1, `[${JSON.stringify(server).slice(1, -1)}] `)];
}

function metaLabelEdits(line: Buffer, params: ParamSpans, server: ServerName): readonly Edit[] {
  const member = `${JSON.stringify(SERVER_NAME_KEY)}:${JSON.stringify(server)}`;
  const meta = params.get('_meta');
  if (meta !== undefined && line[meta.start] === OPEN_BRACE) {
    const isEmpty = line.toString('latin1', meta.start + 1, meta.end - 1).trim() === '';
    // Inserted last, because parsers use the last of duplicate members: a server cannot pose as another one.
    return [insertion(meta.end - 1, isEmpty ? member : `,${member}`)];
  }
  const behind = params.get('maxTokens');
  return meta !== undefined || behind === undefined ? [] : [insertion(behind.end, `,"_meta":{${member}}`)];
}

/**
 * Returns the edit that sets `includeContext` to `none`, unless the client has declared `sampling.context`. With
 * `thisServer`, a server means only itself, but the client would include the context of every server behind mcpmux.
 */
function contextEdits(
  line: Buffer,
  params: ParamSpans,
  { sampling }: Readonly<Record<string, unknown>>,
): readonly Edit[] {
  const span = params.get('includeContext');
  const takesContext = isRecord(sampling) && sampling['context'] !== undefined;
  const isNeeded = span !== undefined && !takesContext && stringAt(line, span) !== 'none';
  return isNeeded ? [{ span, bytes: '"none"' }] : [];
}

/** Returns the edit that inserts `text` at the offset `at`. */
export function insertion(at: number, text: string): Edit {
  const span: Span = { start: at, end: at };
  return { span, bytes: text };
}

/** Returns the edits that restore the server's own task id in a client's result. */
export function relatedTaskEdits(line: Buffer, result: Span): readonly Edit[] {
  return valueSpans(line, result, RELATED_TASK_PATHS).flatMap(({ span }) => {
    const id = stringAt(line, span);
    const splitId = id === undefined ? undefined : splitTaskId(id);
    return splitId === undefined ? [] : [{ span, bytes: JSON.stringify(splitId.local) }];
  });
}

/** Returns the task id in a client's CreateTaskResult (revision 2025-11-25). */
export function createdTaskId(line: Buffer, result: Span): string | undefined {
  const [created] = valueSpans(line, result, CREATED_TASK_PATHS);
  return created && stringAt(line, created.span);
}
