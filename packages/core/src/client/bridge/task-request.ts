import { type Edit, valuePaths, valueSpans } from '@mcpmux/wire';
import type { OutgoingCall } from '../../server/link/calls.js';

const REQUEST_START = '{"jsonrpc":"2.0","id":';
const METHOD_PATHS = valuePaths([['method']]);

/** The params of a request about a task. */
export interface TaskRequestInit {
  /** The server's own id for the task. */
  readonly taskId: string;
  /** The members of `_meta`, JSON text by key. */
  readonly meta?: Readonly<Record<string, string>>;
  /** Other members of `params`, JSON text by key. */
  readonly extraMembers?: Readonly<Record<string, string>>;
}

/** Returns a request about a task, to send to the server in place of a client's request. Its id is a placeholder. */
export function taskRequest(
  method: string,
  { taskId, meta = {}, extraMembers = {} }: TaskRequestInit,
): OutgoingCall {
  const members = { taskId: JSON.stringify(taskId), ...extraMembers };
  const all = Object.keys(meta).length === 0 ? members : { ...members, _meta: jsonOf(meta) };
  const line = Buffer.from(`${REQUEST_START}0,"method":${JSON.stringify(method)},"params":${jsonOf(all)}}`);
  const id = { start: REQUEST_START.length, end: REQUEST_START.length + 1 };
  return { line, id, progressToken: undefined, edits: [] };
}

/** Returns the edits that change the method of a request. */
export function methodEdits(line: Buffer, method: string): readonly Edit[] {
  const [found] = valueSpans(line, { start: 0, end: line.length }, METHOD_PATHS);
  return found === undefined ? [] : [{ span: found.span, bytes: JSON.stringify(method) }];
}

function jsonOf(members: Readonly<Record<string, string>>): string {
  const all = Object.entries(members).map(([key, json]) => `${JSON.stringify(key)}:${json}`);
  return `{${all.join(',')}}`;
}
