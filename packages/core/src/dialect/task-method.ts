/** Whether a method is about a task: its params name the task instead of a tool. */
export function isTaskMethod(method: string): boolean {
  return method.startsWith('tasks/');
}
