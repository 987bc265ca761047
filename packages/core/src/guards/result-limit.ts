import type { Guard, GuardContext } from './guard.js';
import { perTarget } from './guard-setting.js';
import { GuardRefusal } from './guard-refusal.js';
import { guardOfCalls, type Target } from './targets.js';

/** The limit for the size of answers. */
export interface ResultLimitOptions extends Target {
  /** Maximum size of a whole answer, in bytes of JSON. */
  readonly bytes: number;
}

/**
 * Returns a guard that replaces an answer that is too large with an error, because the answer would fill a model's
 * context.
 */
export function resultLimit(options: ResultLimitOptions): Guard {
  const { bytes } = options;
  return guardOfCalls(options, async (context, next) => {
    const answer = await next();
    if (answer.bytes > bytes) throw refusal(context, answer.bytes, bytes);
    return answer;
  });
}

/** `guards.resultBytes` of a config. */
export const resultLimitSetting = perTarget<ResultLimitOptions>(
  'How large a result may be.',
  ({ count }) => ({ bytes: count }),
  resultLimit,
);

function refusal({ server, tool }: GuardContext, size: number, limit: number): GuardRefusal {
  const what = tool === undefined ? 'The answer' : `The result of ${JSON.stringify(tool)}`;
  const where = server === undefined ? '' : ` of server ${JSON.stringify(server)}`;
  return new GuardRefusal(
    `${what}${where} has ${size} bytes, above the limit of ${limit}, and was dropped. The call was carried out. ` +
      'Ask for less: a page, a filter, a smaller range.',
    { reason: 'result-limit', data: { bytes: size, limit, ...(server !== undefined && { server }) } },
  );
}
