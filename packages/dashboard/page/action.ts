import { useState } from 'preact/hooks';

/** The last words of a view to its user. */
export interface Said {
  readonly text: string;
  readonly isProblem?: boolean;
}

/** Runs work of a view, and tells what became of it. */
export interface Act {
  /** The outcome of the last work. */
  readonly said: Said;
  readonly report: (text: string) => void;
  /** @param done the message after the work, unless `work` resolves with another */
  readonly run: (work: () => Promise<unknown>, done?: string) => void;
}

/** The text of an error. */
export function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** One line of a view that tells what became of its last action. */
export function useAct(): Act {
  const [said, setSaid] = useState<Said>({ text: '' });
  const run = async (work: () => Promise<unknown>, done: string): Promise<void> => {
    setSaid({ text: '…' });
    try {
      const text = await work();
      setSaid({ text: typeof text === 'string' ? text : done });
    } catch (error) {
      setSaid({ text: problemOf(error), isProblem: true });
    }
  };
  return { said, report: (text) => setSaid({ text }), run: (work, done = '') => void run(work, done) };
}
