import { LRUCache } from 'lru-cache';
import { type Clock, isRecord, systemClock } from '@mcpmux/kit';

import { resultAnswer } from './answers.js';
import type { Guard, GuardContext } from './guard.js';
import { guardOfCalls, type Target } from './targets.js';

/** Which results are kept, and for how long. */
export interface ResultCacheOptions extends Target {
  /** In milliseconds. */
  readonly ttlMs: number;
  /** All that is kept together; what was not used for longest gives way. 16 MiB when absent. */
  readonly maxBytes?: number | undefined;
  readonly clock?: Clock | undefined;
}

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

interface Kept {
  readonly json: Buffer;
  readonly at: number;
}

/**
 * A guard that keeps results of tools that say they only read (`annotations.readOnlyHint`), and answers the same call
 * of the same principal with them. What a tool answers after its server was started anew, or has changed its lists, is
 * another result; errors are not kept.
 */
export function resultCache(options: ResultCacheOptions): Guard {
  const { ttlMs, maxBytes = DEFAULT_MAX_BYTES, clock = systemClock } = options;
  const kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: ({ json }, key) => json.length + key.length,
  });
  const guard = guardOfCalls(options, async (context, next) => {
    if (!isCacheable(context)) return next();
    const key = keyOf(context);
    const known = kept.get(key);
    if (known !== undefined && clock.now() - known.at < ttlMs) return resultAnswer(known.json);
    const answer = await next();
    if (answer.kind === 'result' && !answer.isToolError)
      kept.set(key, { json: answer.json(), at: clock.now() });
    return answer;
  });
  return { ...guard, methods: ['tools/call'] };
}

/**
 * Members of a call that are in the key, because they determine the answer. A call with other members is not cached.
 */
const IN_KEY: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

function isCacheable(context: GuardContext): boolean {
  const { annotations } = context.definition() ?? {};
  if (!isRecord(annotations) || annotations['readOnlyHint'] !== true) return false;
  const params = context.params();
  const meta = params['_meta'];
  const saysNothing =
    meta === undefined || (isRecord(meta) && Object.keys(meta).every((key) => key === 'progressToken'));
  return saysNothing && Object.keys(params).every((key) => IN_KEY.has(key));
}

/** With the bytes of the arguments: two numbers that differ may be the same once they are parsed. */
function keyOf({ principal, server, tool, serverVersion, raw }: GuardContext): string {
  const args = raw('arguments')?.toString('latin1') ?? '';
  return JSON.stringify([principal.id, server, serverVersion, tool, args]);
}
