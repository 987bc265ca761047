import { cleanEnvironment, installedServer, NODE } from '../../testing/built-cli.js';
import type { Script } from '../script.js';
import { BASE_STEPS } from './everything-base.js';
import { LOGGING_STEPS } from './everything-logging.js';
import { PROMPT_STEPS } from './everything-prompts.js';
import { REQUEST_STEPS } from './everything-requests.js';
import { RESOURCE_STEPS } from './everything-resources.js';
import { TASK_STEPS } from './everything-tasks.js';
import { TOOL_STEPS } from './everything-tools.js';

/** The reference server of the specification, with all that it can do. */
export const EVERYTHING: Script = {
  server: '@modelcontextprotocol/server-everything',
  program: {
    command: NODE,
    args: [installedServer('@modelcontextprotocol/server-everything')],
    env: cleanEnvironment(),
  },
  fence: { tool: 'echo', args: { message: 'fence' } },
  steps: [
    ...BASE_STEPS,
    ...TOOL_STEPS,
    ...RESOURCE_STEPS,
    ...PROMPT_STEPS,
    ...LOGGING_STEPS,
    ...REQUEST_STEPS,
    ...TASK_STEPS,
  ],
};
