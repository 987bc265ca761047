import { splice, valuePaths, valueSpans } from '@mcpmux/wire';
import { lastMember } from '../../link/members.js';
import { wrappedOutput } from './wrapped-output.js';

const EXECUTION = valuePaths([['execution']]);
const OPTIONAL = '"execution":{"taskSupport":"optional"}';
const SCHEMA = '"outputSchema"';

/**
 * A tool of a modern server as clients of the legacy era are shown it.
 *
 * @param mayBeTask whether the server takes part in tasks: which calls become tasks is its decision
 * @returns undefined when nothing differs
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
