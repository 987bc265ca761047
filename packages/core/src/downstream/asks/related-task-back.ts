import { splitTaskId } from '@mcpmux/namespace';

import { type Edit, type Span, stringAt, valuePaths, valueSpans } from '@mcpmux/wire';
import { RELATED_TASK } from '../../upstream/link/related-task.js';

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
