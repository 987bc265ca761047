import { afterCallback, type Clock, systemClock } from '@mcpmux/kit';
import type { Guard, GuardAnswer, GuardContext } from './guard.js';
import type { GuardSetting } from './guard-setting.js';
import { GuardRefusal } from './guard-refusal.js';
import { guardOfCalls, type Target } from './targets.js';

/** A record of one request, without its params and result. */
export interface CallRecord {
  readonly session: number;
  readonly principal: string;
  readonly method: string;
  readonly server?: string;
  readonly tool?: string;
  /**
   * `tool-error`: a result with `isError`; `error`: a JSON-RPC error; `refused`: by a guard; `cancelled`: the request
   * was cancelled or its client has disconnected; `failed`: an error inside mcpmux.
   */
  readonly outcome: 'ok' | 'tool-error' | 'error' | 'refused' | 'cancelled' | 'failed';
  /** The reason why a guard refused the request. */
  readonly reason?: string;
  readonly ms: number;
  readonly requestBytes: number;
  readonly answerBytes?: number;
}

/** Selects the requests to record, and receives the records. */
export interface CallAuditOptions extends Target {
  readonly sink: (record: CallRecord) => void;
  readonly clock?: Clock;
}

/**
 * Returns a guard that passes a record of every selected request to `sink`, including refused requests. It must be the
 * outermost guard to see the refusals of other guards.
 */
export function callAudit(options: CallAuditOptions): Guard {
  const { sink, clock = systemClock } = options;
  return guardOfCalls(options, async (context, next) => {
    const startedAt = clock.now();
    const report = (ending: Pick<CallRecord, 'outcome' | 'reason' | 'answerBytes'>): void =>
      afterCallback(sink({ ...requestFields(context), ...ending, ms: clock.now() - startedAt }));
    try {
      const answer = await next();
      report({ outcome: outcomeOf(answer), answerBytes: answer.bytes });
      return answer;
    } catch (error) {
      report(failureOf(error, context));
      throw error;
    }
  });
}

/** The `guards.audit` setting in a config. */
export const auditSetting: GuardSetting<boolean> = {
  schema: ({ z, flag }) => flag.check(z.describe('true: the log gets a line for each call.')),
  guards: (isOn, logger) =>
    isOn ? [callAudit({ sink: (record) => logger.log('info', 'call', { ...record }) })] : [],
};

function requestFields({ session, principal, method, server, tool, bytes }: GuardContext) {
  return {
    session,
    principal: principal.id,
    method,
    ...(server !== undefined && { server }),
    ...(tool !== undefined && { tool }),
    requestBytes: bytes,
  };
}

function outcomeOf({ kind, isToolError }: GuardAnswer): CallRecord['outcome'] {
  if (kind === 'error') return 'error';
  return isToolError ? 'tool-error' : 'ok';
}

function failureOf(error: unknown, { signal }: GuardContext): Pick<CallRecord, 'outcome' | 'reason'> {
  if (signal.aborted) return { outcome: 'cancelled' };
  if (!(error instanceof GuardRefusal)) return { outcome: 'failed' };
  return { outcome: 'refused', reason: String(error.data['reason']) };
}
