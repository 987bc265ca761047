import { LRUCache } from 'lru-cache';
import { type Clock, isRecord, systemClock } from '@mcpmux/kit';

import { resultAnswer } from './answers.js';
import type { Guard, GuardContext } from './guard.js';
import { perTargetSetting } from './guard-setting.js';
import { guardOfCalls, type Target } from './targets.js';

/** Selects the tools whose results are cached, and limits the results' lifetime and total size. */
export interface ResultCacheOptions extends Target {
  /** Time for which a result is cached, in milliseconds. */
  readonly ttlMs: number;
  /** Maximum total size of the cached results; 16 MiB when absent. Above it, the least recently used are evicted. */
  readonly maxBytes?: number | undefined;
  readonly clock?: Clock | undefined;
}

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

/**
 * Returns a guard that caches results of tools that declare themselves read-only (`annotations.readOnlyHint`). It
 * answers a principal's repeated calls from the cache. A restart of the server or a change to its lists invalidates the
 * cached results. Errors are not cached.
 */
export function resultCache(options: ResultCacheOptions): Guard {
  const { ttlMs, maxBytes = DEFAULT_MAX_BYTES, clock = systemClock } = options;
  const cache = new LRUCache<string, { readonly json: Buffer; readonly at: number }>({
    maxSize: maxBytes,
    sizeCalculation: ({ json }, key) => json.length + key.length,
  });
  const guard = guardOfCalls(options, async (context, next) => {
    if (!isCacheable(context)) return next();
    const key = keyOf(context);
    const entry = cache.get(key);
    if (entry !== undefined && clock.now() - entry.at < ttlMs) return resultAnswer(entry.json);
    const answer = await next();
    if (answer.kind === 'result' && !answer.isToolError)
      cache.set(key, { json: answer.json, at: clock.now() });
    return answer;
  });
  return { ...guard, methods: ['tools/call'] };
}

/** The `guards.cache` setting in a config. */
export const resultCacheSetting = perTargetSetting<ResultCacheOptions>(
  'How long results of tools with readOnlyHint are cached.',
  ({ count, milliseconds, optional }) => ({
    ttlMs: milliseconds,
    maxBytes: optional(count, '16 MiB when absent.'),
  }),
  resultCache,
);

/** The only params that a cacheable call may have, because any other param could affect the result. */
const CACHEABLE_PARAMS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

function isCacheable(context: GuardContext): boolean {
  const { annotations } = context.definition ?? {};
  if (!isRecord(annotations) || annotations['readOnlyHint'] !== true) return false;
  const { params } = context;
  const meta = params['_meta'];
  const isMetaIrrelevant =
    meta === undefined || (isRecord(meta) && Object.keys(meta).every((key) => key === 'progressToken'));
  return isMetaIrrelevant && Object.keys(params).every((key) => CACHEABLE_PARAMS.has(key));
}

/** Returns a call's cache key. It contains the raw argument bytes, because parsing can make different numbers equal. */
function keyOf({ principal, server, tool, serverVersion, readRaw }: GuardContext): string {
  const args = readRaw('arguments')?.toString('latin1') ?? '';
  return JSON.stringify([principal.id, server, serverVersion, tool, args]);
}
