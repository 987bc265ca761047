import { answerComplete, requestInput } from '../raw/modern-server.js';
import { TASK_QUESTION, type ModernTasks } from '../raw/modern-tasks.js';
import { textResult } from '../raw/output.js';
import type { Tool } from '../raw/raw-server.js';
import type { TaskCourses } from './task-courses.js';

/** How long the failing tools run before they fail, in milliseconds. */
const FAILURE_DELAY_MS = 100;

const FAILED_RESULT = { ...textResult('the job has failed'), isError: true, resultType: 'complete' };
const PROTOCOL_ERROR = { code: -32603, message: 'it broke' };
const NAME_REQUESTS = {
  user_name: {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message: 'What is your name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
  },
};

/** Returns the tools that the suite's task scenarios call. The suite requires a description for every tool. */
export function taskTools(tasks: ModernTasks, courses: TaskCourses): readonly Tool[] {
  return [...longRunningTools(tasks, courses), ...askingTools(tasks, courses)].map(withDescription);
}

function withDescription(tool: Tool): Tool {
  return { ...tool, extraMembers: { description: `Called by scenarios: ${tool.name}` } };
}

function longRunningTools(tasks: ModernTasks, courses: TaskCourses): readonly Tool[] {
  return [
    {
      name: 'greet',
      input: { name: 'string' },
      call: ({ id, arguments: { name } }) => answerComplete(id, textResult(`Hello, ${String(name)}!`)),
    },
    tasks.createTool('slow_compute', false, (taskId, { arguments: { seconds } }) =>
      courses.endLater(taskId, Number(seconds) * 1000, () => tasks.complete(taskId, 'computed')),
    ),
    tasks.createTool('failing_job', true, (taskId) =>
      courses.endLater(taskId, FAILURE_DELAY_MS, () =>
        tasks.change(taskId, 'completed', { result: FAILED_RESULT }),
      ),
    ),
    tasks.createTool('protocol_error_job', false, (taskId) =>
      courses.endLater(taskId, FAILURE_DELAY_MS, () =>
        tasks.change(taskId, 'failed', { error: PROTOCOL_ERROR }),
      ),
    ),
  ];
}

function askingTools(tasks: ModernTasks, courses: TaskCourses): readonly Tool[] {
  return [
    tasks.createTool('confirm_delete', false, (taskId) =>
      courses.waitForAnswers(taskId, { sure: TASK_QUESTION }),
    ),
    tasks.createTool('multi_input', false, (taskId) =>
      courses.waitForAnswers(taskId, { first: TASK_QUESTION, second: TASK_QUESTION }),
    ),
    createAskingFirstTool(tasks),
  ];
}

/** Returns a tool that asks a question before its task begins. */
function createAskingFirstTool(tasks: ModernTasks): Tool {
  return {
    name: 'test_tool_with_task',
    call: ({ id, params: { inputResponses } }) => {
      if (inputResponses === undefined) return requestInput(id, NAME_REQUESTS, 'round 1');
      tasks.completeOnPoll(tasks.create(id), textResult(JSON.stringify(inputResponses)));
    },
  };
}
