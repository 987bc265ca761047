import { isRecord } from '@mcpmux/kit';
import { splitTaskId, type ServerName } from '@mcpmux/namespace';

import { type Edit, type ParamSpans, type Span, stringAt, valuePaths, valueSpans } from '@mcpmux/wire';
import type { ServerRequest } from '../../server/link/pending-call.js';
import type { ServerEvent } from '../../server/run/run-inbox.js';
import { inputKindOf } from '../../server/dialect/client-requests.js';
import { isStreams, type AnyServerConfig } from '../../server/config/server-config.js';
import { RELATED_TASK, RELATED_TASK_PATH } from '../../server/link/server-paths.js';
import { clientTaskId } from '../../server/client-task-id.js';

/** Under this key of `_meta` stands the name of the server that a request comes from. */
export const SERVER_KEY = 'dev.mcpmux/server';

const OPEN_BRACE = 0x7b;
const RELATED = valuePaths([RELATED_TASK]);
const MADE = valuePaths([['task', 'taskId']]);

/** The server that asks. */
interface AskingServer {
  readonly name: ServerName;
  readonly config?: AnyServerConfig;
}

/**
 * Returns the edits of a request of a server for a client, in addition to its id and token.
 *
 * A client must show which server asks, and knows only mcpmux: so the name stands in the text that people read, and in
 * `_meta` for programs.
 */
export function serverRequestEdits(
  { upstream, line, message }: ServerEvent<AskingServer, ServerRequest>,
  capabilities: Readonly<Record<string, unknown>>,
): readonly Edit[] {
  const { method, params } = message;
  const server = upstream.name;
  const task = taskEdit(line, params, upstream);
  if (upstream.config !== undefined && isStreams(upstream.config) && upstream.config.isNamed === true)
    return [...task, ...contextEdit(line, params, capabilities)];
  switch (inputKindOf(method)) {
    case 'elicitation':
      return [...task, ...messageLabel(line, params, server)];
    case 'sampling':
      return [...task, ...metaLabel(line, params, server), ...contextEdit(line, params, capabilities)];
    case 'roots':
    case undefined:
      return task;
  }
}

function taskEdit(line: Buffer, params: ParamSpans, server: AskingServer): readonly Edit[] {
  const span = params.get(RELATED_TASK_PATH);
  const local = span && stringAt(line, span);
  return span === undefined || local === undefined
    ? []
    : [{ span, bytes: JSON.stringify(clientTaskId(server, local)) }];
}

function messageLabel(line: Buffer, params: ParamSpans, server: ServerName): readonly Edit[] {
  const span = params.get('message');
  if (span === undefined || stringAt(line, span) === undefined) return [];
  return [insertion(span.start + 1, `[${JSON.stringify(server).slice(1, -1)}] `)];
}

function metaLabel(line: Buffer, params: ParamSpans, server: ServerName): readonly Edit[] {
  const member = `${JSON.stringify(SERVER_KEY)}:${JSON.stringify(server)}`;
  const meta = params.get('_meta');
  if (meta !== undefined && line[meta.start] === OPEN_BRACE) {
    const isEmpty = line.toString('latin1', meta.start + 1, meta.end - 1).trim() === '';
    // At its end: of two members with one name the last counts, and no server may give itself another's name.
    return [insertion(meta.end - 1, isEmpty ? member : `,${member}`)];
  }
  const behind = params.get('maxTokens');
  return meta !== undefined || behind === undefined ? [] : [insertion(behind.end, `,"_meta":{${member}}`)];
}

/**
 * "This server" means the one that asks, to that server; a client would take it to mean all of them. So it is asked for
 * no context, unless it said that it can tell (`sampling.context`).
 */
function contextEdit(
  line: Buffer,
  params: ParamSpans,
  { sampling }: Readonly<Record<string, unknown>>,
): readonly Edit[] {
  const span = params.get('includeContext');
  const takesContext = isRecord(sampling) && sampling['context'] !== undefined;
  const isNeeded = span !== undefined && !takesContext && stringAt(line, span) !== 'none';
  return isNeeded ? [{ span, bytes: '"none"' }] : [];
}

/** Returns the edit that inserts `text` before the byte at `at`. */
export function insertion(at: number, text: string): Edit {
  const span: Span = { start: at, end: at };
  return { span, bytes: text };
}

/** Gives the task that a client's result belongs to the id back by which its server knows it. */
export function relatedTaskBack(line: Buffer, result: Span): readonly Edit[] {
  return valueSpans(line, result, RELATED).flatMap(({ span }) => {
    const id = stringAt(line, span);
    const parts = id === undefined ? undefined : splitTaskId(id);
    return parts === undefined ? [] : [{ span, bytes: JSON.stringify(parts.local) }];
  });
}

/** The id of the task in a client's CreateTaskResult (tasks of the 2025-11-25 revision). */
export function taskMadeIn(line: Buffer, result: Span): string | undefined {
  const [made] = valueSpans(line, result, MADE);
  return made && stringAt(line, made.span);
}
