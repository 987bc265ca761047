import { useState } from 'preact/hooks';

/** Runs work of a view, and tells what became of it. */
export interface Act {
  /** The outcome of the last work. */
  readonly message: string;
  readonly tell: (message: string) => void;
  /** @param done the message after the work, unless `work` resolves with another */
  readonly run: (work: () => Promise<unknown>, done?: string) => void;
}

/** The text of an error. */
export function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** One line of a view that tells what became of its last action. */
export function useAct(): Act {
  const [message, setMessage] = useState('');
  const run = async (work: () => Promise<unknown>, done: string): Promise<void> => {
    setMessage('…');
    try {
      const said = await work();
      setMessage(typeof said === 'string' ? said : done);
    } catch (error) {
      setMessage(problemOf(error));
    }
  };
  return { message, tell: setMessage, run: (work, done = '') => void run(work, done) };
}
