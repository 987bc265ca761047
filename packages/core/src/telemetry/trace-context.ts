import { context, propagation, type Context } from '@opentelemetry/api';

import type { GuardContext } from '../guards/guard.js';
import { isRecord } from '../base/is-record.js';

/** Keys of W3C Trace Context and W3C Baggage, which `_meta` reserves for them. */
const KEYS = ['traceparent', 'tracestate', 'baggage'] as const;

/** The span that a request says it is part of, in its `_meta`; the active one where it says nothing. */
export function parentOf({ raw }: GuardContext): Context {
  const active = context.active();
  const text = raw('_meta');
  const meta: unknown = text && JSON.parse(text.toString('utf8'));
  if (!isRecord(meta)) return active;
  const carrier = Object.fromEntries(
    KEYS.flatMap((key) => (typeof meta[key] === 'string' ? [[key, meta[key]]] : [])),
  );
  return propagation.extract(active, carrier);
}
