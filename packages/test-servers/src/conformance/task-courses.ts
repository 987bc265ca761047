import type { ModernTasks } from '../raw/modern-tasks.js';

/** Ends tasks after a delay, makes them wait for input, or cancels them. */
export class TaskCourses {
  private readonly endTimers = new Map<string, NodeJS.Timeout>();
  private readonly openQuestions = new Map<string, Readonly<Record<string, object>>>();

  constructor(private readonly tasks: Pick<ModernTasks, 'change' | 'complete'>) {}

  /** Ends the task after this many milliseconds, unless it is cancelled first. */
  endLater(taskId: string, afterMs: number, end: () => void): void {
    const timer = setTimeout(() => {
      this.endTimers.delete(taskId);
      end();
    }, afterMs);
    this.endTimers.set(taskId, timer);
  }

  /** Makes the task wait for the answers to these questions. */
  waitForAnswers(taskId: string, inputRequests: Readonly<Record<string, object>>): void {
    this.openQuestions.set(taskId, inputRequests);
    this.tasks.change(taskId, 'input_required', { inputRequests });
  }

  /** Accepts answers to some or all of the questions. */
  acceptAnswers(taskId: string, inputResponses: object): void {
    const questions = this.openQuestions.get(taskId);
    if (questions === undefined) return;
    const remainingQuestions = Object.entries(questions).filter(
      ([key]) => !Object.hasOwn(inputResponses, key),
    );
    if (remainingQuestions.length > 0)
      return this.waitForAnswers(taskId, Object.fromEntries(remainingQuestions));
    this.openQuestions.delete(taskId);
    this.tasks.complete(taskId, 'answered');
  }

  /** Cancels a task. Has no effect on a task that has ended. */
  cancel(taskId: string): void {
    if (!this.endTimers.has(taskId) && !this.openQuestions.has(taskId)) return;
    clearTimeout(this.endTimers.get(taskId));
    this.endTimers.delete(taskId);
    this.openQuestions.delete(taskId);
    this.tasks.change(taskId, 'cancelled');
  }
}
