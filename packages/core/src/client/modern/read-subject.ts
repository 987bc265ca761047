import { createHash } from 'node:crypto';

import { readMessage } from '@mcpmux/wire';
import { isRecord, paramsOf } from '@mcpmux/kit';
import { CALL_TOOL } from '../caller/call-tool.js';
import type { NameSources } from '../caller/caller-view.js';
import { CLIENT_PARAM_PATHS, SANDBOX_STATE } from '../caller/client-paths.js';
import { requestInCallTool } from '../request/request-context.js';
import { subjectOf, type RequestSubject } from '../request/request-subject.js';
import type { ClientMessage } from '../../catalog/routing/route-other.js';

/** A request, or the inner request of a call to `call_tool`, with its subject. */
export interface RequestWithSubject {
  readonly request: ClientMessage;
  readonly subject: RequestSubject;
}

/** Reads the subject of a request from its line. For a call to `call_tool`, reads the inner request. */
export function readSubject(line: Buffer, sources: NameSources): RequestWithSubject {
  const message = readMessage(line, CLIENT_PARAM_PATHS);
  const { method, params } =
    message.kind === 'request' ? message : { method: '', params: new Map<string, never>() };
  const outer = { method, params, line };
  const subject = subjectOf(outer, sources, new Map());
  if (subject.upstream !== undefined || subject.tool !== CALL_TOOL) return { request: outer, subject };
  const inner = requestInCallTool(line);
  if ('problem' in inner) return { request: outer, subject };
  const request = { ...inner, method };
  return { request, subject: subjectOf(request, sources, new Map()) };
}

/**
 * Returns the digest by which a retry must match its request: a hash of the method, the name or URI, and the arguments,
 * regardless of JSON formatting. If the server follows its client's sandbox, the hash also covers the sandbox, because
 * the call must continue in the same one. A server's tool is identified by its local name, because the names that
 * clients see differ between cluster nodes.
 */
export function requestDigest(line: Buffer, sources: NameSources): string {
  const { request, subject } = readSubject(line, sources);
  const { name, uri, arguments: args, _meta: meta } = paramsOf(request.line);
  const within = subject.upstream?.followedSandbox && isRecord(meta) ? meta[SANDBOX_STATE] : undefined;
  const identity = subject.tool === undefined ? name : [subject.server, subject.tool];
  const text = JSON.stringify([request.method, identity, uri, withSortedKeys(args), withSortedKeys(within)]);
  return createHash('sha256').update(text).digest('base64');
}

/** Sorts object keys at every depth, so that equal values have equal JSON. */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => [
    key,
    withSortedKeys(member),
  ]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
