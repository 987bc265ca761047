import { createHash } from 'node:crypto';

import { isRecord } from '../../base/is-record.js';
import { paramsOf } from '../../base/params.js';

/** By this a retry is recognized as the request that it repeats: method, name or URI, and arguments, however spelled. */
export function requestDigest(method: string, line: Buffer): string {
  const { name, uri, arguments: args } = paramsOf(line);
  const text = JSON.stringify([method, name, uri, inOrder(args)]);
  return createHash('sha256').update(text).digest('base64');
}

/** The value with the members of its objects in one order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => [key, inOrder(member)]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
