import { qualifyTaskId, type ServerName } from '@mcpmux/namespace';

import { type Edit, type ParamSpans, type Span, stringAt } from '@mcpmux/wire';
import type { ServerRequest } from '../../upstream/link/pending-call.js';
import type { ServerEvent } from '../../upstream/run/run-inbox.js';
import { inputKindOf } from '../../dialect/input-kind.js';
import { isRecord } from '../../base/is-record.js';
import { RELATED_TASK_PATH } from '../../upstream/link/related-task.js';

/** Under this key of `_meta` stands the name of the server that a request comes from. */
export const SERVER_KEY = 'dev.mcpmux/server';

const OPEN_BRACE = 0x7b;

/**
 * What is replaced in a server's request for a client, beside its id and token.
 *
 * A client must show which server asks, and knows only mcpmux: so the name stands in the text that people read, and in
 * `_meta` for programs.
 */
export function serverRequestEdits(
  { upstream, line, message }: ServerEvent<{ readonly name: ServerName }, ServerRequest>,
  capabilities: Readonly<Record<string, unknown>>,
): readonly Edit[] {
  const { method, params } = message;
  const server = upstream.name;
  switch (inputKindOf(method)) {
    case 'elicitation':
      return [...taskEdit(line, params, server), ...messageLabel(line, params, server)];
    case 'sampling':
      return [
        ...taskEdit(line, params, server),
        ...metaLabel(line, params, server),
        ...contextEdit(line, params, capabilities),
      ];
    case 'roots':
    case undefined:
      return taskEdit(line, params, server);
  }
}

function taskEdit(line: Buffer, params: ParamSpans, server: ServerName): readonly Edit[] {
  const span = params.get(RELATED_TASK_PATH);
  const local = span && stringAt(line, span);
  return span === undefined || local === undefined
    ? []
    : [{ span, bytes: JSON.stringify(qualifyTaskId(server, local)) }];
}

function messageLabel(line: Buffer, params: ParamSpans, server: ServerName): readonly Edit[] {
  const span = params.get('message');
  if (span === undefined || stringAt(line, span) === undefined) return [];
  return [insertion(span.start + 1, `[${escaped(server)}] `)];
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
  const canTell = isRecord(sampling) && sampling['context'] !== undefined;
  const isNeeded = span !== undefined && !canTell && stringAt(line, span) !== 'none';
  return isNeeded ? [{ span, bytes: '"none"' }] : [];
}

function insertion(at: number, text: string): Edit {
  const span: Span = { start: at, end: at };
  return { span, bytes: text };
}

/** As it stands inside the quotes of a JSON string. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
