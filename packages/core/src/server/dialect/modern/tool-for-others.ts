import { splice, valuePaths, valueSpans } from '@mcpmux/wire';
import { lastMember } from '../../link/members.js';
import { wrappedOutput } from './wrapped-output.js';

const EXECUTION = valuePaths([['execution']]);
const OPTIONAL = '"execution":{"taskSupport":"optional"}';
const SCHEMA = '"outputSchema"';

/**
 * Returns the definition of a modern server's tool for clients of the legacy era.
 *
 * @param mayBeTask true if the server supports tasks, because then any call may become a task
 * @returns undefined if nothing differs
 */
export function toolForLegacy(definition: Buffer, mayBeTask: boolean): Buffer | undefined {
  const wrapped = wrappedOutput(definition);
  const shown = wrapped ?? definition;
  const whole = { start: 0, end: shown.length };
  if (!mayBeTask || valueSpans(shown, whole, EXECUTION).length > 0) return wrapped;
  return splice(shown, [lastMember(shown, whole, OPTIONAL)]).subarray(0, -1);
}

/** True if the output of a tool is wrapped for clients of the legacy era. */
export function isOutputWrapped(definition: Buffer): boolean {
  return definition.includes(SCHEMA) && wrappedOutput(definition) !== undefined;
}
