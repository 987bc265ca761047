import { answerComplete, askInput } from '../raw/modern-server.js';
import { QUESTION, type ModernTasks } from '../raw/modern-tasks.js';
import { textResult } from '../raw/output.js';
import type { Tool } from '../raw/raw-server.js';
import type { TaskCourses } from './task-courses.js';

/** The time after which the failing tools fail, in milliseconds. */
const FAILS_AFTER_MS = 100;

const FAILED = { ...textResult('the job has failed'), isError: true, resultType: 'complete' };
const BROKEN = { code: -32603, message: 'it broke' };
const ASK_NAME = {
  user_name: {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message: 'What is your name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
  },
};

/** Returns the tools that the task scenarios of the suite call. The suite requires a description for every tool. */
export function taskTools(tasks: ModernTasks, courses: TaskCourses): readonly Tool[] {
  return [...longTools(tasks, courses), ...askingTools(tasks, courses)].map(describe);
}

function describe(tool: Tool): Tool {
  return { ...tool, extra: { description: `Called by scenarios: ${tool.name}` } };
}

function longTools(tasks: ModernTasks, courses: TaskCourses): readonly Tool[] {
  return [
    {
      name: 'greet',
      input: { name: 'string' },
      call: ({ id, arguments: { name } }) => answerComplete(id, textResult(`Hello, ${String(name)}!`)),
    },
    tasks.tool('slow_compute', false, (taskId, { arguments: { seconds } }) =>
      courses.endLater(taskId, Number(seconds) * 1000, () => tasks.complete(taskId, 'computed')),
    ),
    tasks.tool('failing_job', true, (taskId) =>
      courses.endLater(taskId, FAILS_AFTER_MS, () => tasks.change(taskId, 'completed', { result: FAILED })),
    ),
    tasks.tool('protocol_error_job', false, (taskId) =>
      courses.endLater(taskId, FAILS_AFTER_MS, () => tasks.change(taskId, 'failed', { error: BROKEN })),
    ),
  ];
}

function askingTools(tasks: ModernTasks, courses: TaskCourses): readonly Tool[] {
  return [
    tasks.tool('confirm_delete', false, (taskId) => courses.wait(taskId, { sure: QUESTION })),
    tasks.tool('multi_input', false, (taskId) => courses.wait(taskId, { first: QUESTION, second: QUESTION })),
    askingFirst(tasks),
  ];
}

/** Returns a tool that asks a question before its task begins. */
function askingFirst(tasks: ModernTasks): Tool {
  return {
    name: 'test_tool_with_task',
    call: ({ id, params: { inputResponses } }) => {
      if (inputResponses === undefined) return askInput(id, ASK_NAME, 'round 1');
      tasks.completeOnPoll(tasks.create(id), textResult(JSON.stringify(inputResponses)));
    },
  };
}
