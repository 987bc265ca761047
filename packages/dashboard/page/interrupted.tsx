import { useNow } from './now.js';

/** A mcpmux that does not answer for so long may have ended. */
const MAYBE_ENDED_MS = 8000;

/** Tells that the page has lost its mcpmux, and the next step. */
export function Interrupted({ since }: { readonly since: number | undefined }) {
  return (
    <div role="status" class="interrupted">
      {since !== undefined && <NextStep since={since} />}
    </div>
  );
}

function NextStep({ since }: { readonly since: number }) {
  const now = useNow();
  return (
    <p class="box bad">
      mcpmux does not answer. The page shows the state from before, and tries again by itself.
      {now - since >= MAYBE_ENDED_MS && (
        <>
          {' '}
          mcpmux may have ended. If it has, run <code>mcpmux ui</code> in a terminal, and open the link that
          it prints.
        </>
      )}
    </p>
  );
}
