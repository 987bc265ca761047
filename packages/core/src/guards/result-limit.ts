import type { Guard, GuardContext } from './guard.js';
import { GuardRefusal } from './guard-refusal.js';
import { guardOfCalls, type Target } from './targets.js';

/** How large answers may be. */
export interface ResultLimitOptions extends Target {
  /** The whole answer, in bytes of JSON. */
  readonly bytes: number;
}

/** A guard that puts an error in the place of answers that are too large: they would fill the context of a model. */
export function resultLimit(options: ResultLimitOptions): Guard {
  const { bytes } = options;
  return guardOfCalls(options, async (context, next) => {
    const answer = await next();
    if (answer.bytes > bytes) throw refusal(context, answer.bytes, bytes);
    return answer;
  });
}

function refusal({ server, tool }: GuardContext, size: number, limit: number): GuardRefusal {
  const what = tool === undefined ? 'The answer' : `The result of ${JSON.stringify(tool)}`;
  const where = server === undefined ? '' : ` of server ${JSON.stringify(server)}`;
  return new GuardRefusal(
    `${what}${where} has ${size} bytes, above the limit of ${limit}, and was dropped. The call was carried out. ` +
      'Ask for less: a page, a filter, a smaller range.',
    { reason: 'result-limit', data: { bytes: size, limit, ...(server !== undefined && { server }) } },
  );
}
