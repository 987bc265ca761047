import { useState } from 'preact/hooks';

/** The last message of a view to its user. */
export interface Outcome {
  readonly text: string;
  readonly isProblem?: boolean;
}

/** Runs an action of a view, and reports the outcome. */
export interface ActionState {
  /** The outcome of the last action. */
  readonly outcome: Outcome;
  readonly report: (text: string) => void;
  /** @param done the message after the action, unless `work` resolves with another message */
  readonly run: (work: () => Promise<unknown>, done?: string) => void;
}

/** Returns the text of an error. */
export function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the state for one line of a view that reports the outcome of its last action. */
export function useAction(): ActionState {
  const [outcome, setOutcome] = useState<Outcome>({ text: '' });
  const run = async (work: () => Promise<unknown>, done: string): Promise<void> => {
    setOutcome({ text: '…' });
    try {
      const text = await work();
      setOutcome({ text: typeof text === 'string' ? text : done });
    } catch (error) {
      setOutcome({ text: problemOf(error), isProblem: true });
    }
  };
  return { outcome, report: (text) => setOutcome({ text }), run: (work, done = '') => void run(work, done) };
}
