import type { Interruption } from './model.js';
import { useNow } from './now.js';
import { span } from './texts.js';

/** An mcpmux that does not respond for this time may have ended. */
const MAYBE_ENDED_MS = 8000;

interface InterruptedProps {
  readonly interruption: Interruption | undefined;
  /** The process id of the mcpmux that serves the page. */
  readonly pid: number;
}

/** Shows that the page has lost its mcpmux, and the next step. */
export function Interrupted({ interruption, pid }: InterruptedProps) {
  return (
    <div role="status" class="interrupted">
      {interruption !== undefined && <NextStep {...interruption} pid={pid} />}
    </div>
  );
}

function NextStep({ since, isSilent, pid }: Interruption & Pick<InterruptedProps, 'pid'>) {
  const waited = useNow() - since;
  return (
    <p class="box bad">
      {/* A screen reader must not read each second aloud. */}
      mcpmux has not answered for <span aria-live="off">{span(waited / 1000)}</span>. The page shows the state
      from before, and tries again by itself.
      {isSilent && (
        <>
          {' '}
          Its process {pid} is stopped or busy: <code>kill -CONT {pid}</code> lets a stopped process go on.
        </>
      )}
      {waited >= MAYBE_ENDED_MS && (
        <>
          {' '}
          mcpmux may have ended. If it has, run <code>mcpmux ui</code> in a terminal, and open the link that
          it prints.
        </>
      )}
    </p>
  );
}
