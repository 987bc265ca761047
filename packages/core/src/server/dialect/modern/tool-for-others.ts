import { splice, valuePaths, valueSpans } from '@mcpmux/wire';
import { lastMemberInsertion } from '../../link/members.js';
import { withWrappedOutput } from './wrapped-output.js';

const EXECUTION_PATHS = valuePaths([['execution']]);
const OPTIONAL_TASK_SUPPORT = '"execution":{"taskSupport":"optional"}';
const OUTPUT_SCHEMA_KEY = '"outputSchema"';

/**
 * Adapts a modern server's tool definition for legacy clients.
 *
 * @param mayBeTask true if the server supports tasks, so that any call may become a task
 * @returns undefined if the definition needs no change
 */
export function toolForLegacy(definition: Buffer, mayBeTask: boolean): Buffer | undefined {
  const wrapped = withWrappedOutput(definition);
  const shown = wrapped ?? definition;
  const whole = { start: 0, end: shown.length };
  if (!mayBeTask || valueSpans(shown, whole, EXECUTION_PATHS).length > 0) return wrapped;
  return splice(shown, [lastMemberInsertion(shown, whole, OPTIONAL_TASK_SUPPORT)]).subarray(0, -1);
}

/** True if mcpmux wraps the tool's output for legacy clients. */
export function isOutputWrapped(definition: Buffer): boolean {
  return definition.includes(OUTPUT_SCHEMA_KEY) && withWrappedOutput(definition) !== undefined;
}
