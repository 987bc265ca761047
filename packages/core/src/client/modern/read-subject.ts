import { readMessage } from '@mcpmux/wire';

import { CALL_TOOL } from '../caller/call-tool.js';
import type { Sources } from '../caller/caller-view.js';
import { CLIENT_PATHS } from '../caller/client-paths.js';
import { requestInCallTool } from '../request/request-in-call-tool.js';
import { subjectOf, type RequestSubject } from '../request/request-subject.js';
import type { OtherMessage } from '../../catalog/routing/route-other.js';

/** A request, or the request inside a call to `call_tool`, and its subject. */
export interface ReadSubject {
  readonly request: OtherMessage;
  readonly subject: RequestSubject;
}

/** Reads the subject of a request that may be continued. The request itself does not change. */
export function readSubject(line: Buffer, sources: Sources): ReadSubject {
  const message = readMessage(line, CLIENT_PATHS);
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
