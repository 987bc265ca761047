import { splitTaskId } from '@mcpmux/namespace';

import { stringAt } from '../wire/message.js';
import { RELATED_TASK } from '../wire/related-task.js';
import type { Span } from '../wire/span.js';
import type { Edit } from '../wire/splice.js';
import { valuePaths, valueSpans } from '../wire/value-spans.js';

const PATHS = valuePaths([RELATED_TASK]);

/** Gives the task that a client's result belongs to the id back by which its server knows it. */
export function relatedTaskBack(line: Buffer, result: Span): readonly Edit[] {
  return valueSpans(line, result, PATHS).flatMap(({ span }) => {
    const id = stringAt(line, span);
    const parts = id === undefined ? undefined : splitTaskId(id);
    return parts === undefined ? [] : [{ span, bytes: JSON.stringify(parts.local) }];
  });
}

const MADE = valuePaths([['task', 'taskId']]);

/** The id of the task in a client's CreateTaskResult (tasks of the 2025-11-25 revision). */
export function taskMadeIn(line: Buffer, result: Span): string | undefined {
  const [made] = valueSpans(line, result, MADE);
  return made && stringAt(line, made.span);
}
