import { isRecord } from '@mcpmux/kit';
import type { CrossingCall } from '../request/crossing.js';
import type { Upstream } from '../../server/upstream.js';
import { suspendableRequestOf } from '../modern/modern-request.js';
import { postpone } from '../modern/postponed-request.js';

/** The code of a legacy server's error that requires the user to visit URLs before the client retries the call. */
const URL_REQUIRED_CODE = -32_042;

type ErrorFields = Readonly<Record<string, unknown>>;

/** True if an error requires the user to visit URLs. */
export function isUrlRequired(error: ErrorFields): boolean {
  return error['code'] === URL_REQUIRED_CODE && elicitationsIn(error).length > 0;
}

/**
 * Answers a call with the URLs that the user must visit. The retry reaches the server once the server has reported the
 * visits as complete, or after a time limit.
 */
export function requestUrlVisits(
  { exchange, connection }: CrossingCall,
  upstream: Upstream,
  error: ErrorFields,
): void {
  const urls = suspendableRequestOf(exchange)?.parts.urlWaits;
  const elicitations = elicitationsIn(error);
  const questions = new Map(
    elicitations.map(({ url, message }, index) => {
      const params = { mode: 'url', url, message: `[${upstream.name}] ${message}` };
      return [`url${index + 1}`, JSON.stringify({ method: 'elicitation/create', params })];
    }),
  );
  postpone(exchange, questions, async (answers) => {
    const refusedKey = [...questions.keys()].find((key) => actionIn(answers.get(key)) !== 'accept');
    if (refusedKey !== undefined) return refusalMessage(upstream, actionIn(answers.get(refusedKey)));
    const elicitationIds = elicitations.map(({ elicitationId }) => elicitationId);
    await urls?.whenEnded(connection, elicitationIds);
    return undefined;
  });
}

function elicitationsIn(error: ErrorFields) {
  const { data } = error;
  const elicitations: unknown = isRecord(data) ? data['elicitations'] : undefined;
  if (!Array.isArray(elicitations)) return [];
  return elicitations
    .filter(isRecord)
    .flatMap(({ url, message, elicitationId }) =>
      typeof url === 'string'
        ? [{ url, message: stringOrEmpty(message), elicitationId: stringOrEmpty(elicitationId) }]
        : [],
    );
}

function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function actionIn(answer: Buffer | undefined): unknown {
  const value: unknown = answer === undefined ? undefined : JSON.parse(answer.toString('utf8'));
  return isRecord(value) ? value['action'] : undefined;
}

function refusalMessage({ name }: Upstream, action: unknown): string {
  const why = action === 'decline' ? 'the user declined' : 'the user gave no answer';
  return `Server ${JSON.stringify(name)} needs the user to visit a URL first, and ${why}. Nothing was called.`;
}
