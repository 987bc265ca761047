import type { ModernTasks } from '../raw/modern-tasks.js';

/** Ends tasks after a time, makes them wait for answers, or cancels them. */
export class TaskCourses {
  private readonly working = new Map<string, NodeJS.Timeout>();
  private readonly waiting = new Map<string, Readonly<Record<string, object>>>();

  constructor(private readonly tasks: Pick<ModernTasks, 'change' | 'complete'>) {}

  /** Ends the task after this time, unless it is cancelled first. */
  endLater(taskId: string, afterMs: number, end: () => void): void {
    const timer = setTimeout(() => {
      this.working.delete(taskId);
      end();
    }, afterMs);
    this.working.set(taskId, timer);
  }

  /** Makes the task wait for answers to these questions. */
  wait(taskId: string, inputRequests: Readonly<Record<string, object>>): void {
    this.waiting.set(taskId, inputRequests);
    this.tasks.change(taskId, 'input_required', { inputRequests });
  }

  /** Accepts answers to some or all of the questions. */
  answered(taskId: string, inputResponses: object): void {
    const questions = this.waiting.get(taskId);
    if (questions === undefined) return;
    const left = Object.entries(questions).filter(([key]) => !Object.hasOwn(inputResponses, key));
    if (left.length > 0) return this.wait(taskId, Object.fromEntries(left));
    this.waiting.delete(taskId);
    this.tasks.complete(taskId, 'answered');
  }

  /** Cancels a task. A task that has ended is unchanged. */
  cancel(taskId: string): void {
    if (!this.working.has(taskId) && !this.waiting.has(taskId)) return;
    clearTimeout(this.working.get(taskId));
    this.working.delete(taskId);
    this.waiting.delete(taskId);
    this.tasks.change(taskId, 'cancelled');
  }
}
