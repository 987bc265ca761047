import { isRecord } from '@mcpmux/kit';
import { ErrorCode, type RpcError } from '@mcpmux/wire';
import type { ClientProfile } from './client-profile.js';

type Capabilities = ClientProfile['capabilities'];

/** The extension of the modern era that lets servers answer calls with tasks. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** True if the capabilities of a modern client or server declare the tasks extension. */
export function declaresTasks({ extensions }: Capabilities = {}): boolean {
  return isRecord(extensions) && Object.hasOwn(extensions, TASKS_EXTENSION);
}

/** Returns a copy of the capabilities that declares the tasks extension. */
export function withTasks(capabilities: Capabilities): Capabilities {
  const { extensions } = capabilities;
  return { ...capabilities, extensions: { ...(isRecord(extensions) && extensions), [TASKS_EXTENSION]: {} } };
}

/** Returns the capabilities without the tasks extension. */
export function withoutTasks(capabilities: Capabilities): Capabilities {
  const { extensions } = capabilities;
  if (!isRecord(extensions) || !declaresTasks(capabilities)) return capabilities;
  const { [TASKS_EXTENSION]: _, ...others } = extensions;
  return { ...capabilities, extensions: others };
}

/** Returns the error for a request that needs the tasks extension but does not declare it. */
export function tasksRequiredError(): RpcError {
  return {
    code: ErrorCode.MissingCapability,
    message: `This needs the extension ${TASKS_EXTENSION}, which the request does not declare`,
    data: { requiredCapabilities: withTasks({}) },
  };
}
