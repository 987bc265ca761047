import { createHash } from 'node:crypto';

import { isRecord, paramsOf } from '@mcpmux/kit';

import type { Sources } from '../caller/caller-view.js';
import { readSubject } from './read-subject.js';

/**
 * Returns the digest that identifies a retry as the request that it repeats: the method, the name or URI, and the
 * arguments, regardless of how the JSON is written. A server's tool is identified by the server's own name for it,
 * because the names that clients see differ between the nodes of a cluster.
 */
export function requestDigest(line: Buffer, sources: Sources): string {
  const { request, subject } = readSubject(line, sources);
  const { name, uri, arguments: args } = paramsOf(request.line);
  const named = subject.tool === undefined ? name : [subject.server, subject.tool];
  const text = JSON.stringify([request.method, named, uri, inOrder(args)]);
  return createHash('sha256').update(text).digest('base64');
}

/** Returns the value with the members of its objects sorted. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => [key, inOrder(member)]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
