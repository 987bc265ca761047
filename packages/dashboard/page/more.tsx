import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * The number of rows that are drawn initially and with each further step. They fill a window. The browser lays out all
 * rows again when one row changes.
 */
const STEP = 20;
/** The next rows are drawn at this distance before the end of the list is in view, in pixels. */
const AHEAD = '100px';

/** The drawn part of a list, and the end of the list, which draws more. */
interface Drawn<Row> {
  readonly rows: readonly Row[];
  readonly more: ComponentChildren;
}

/**
 * Draws only the part of a long list that the user looks at.
 *
 * @param step the number of rows that fill a window
 */
export function useDrawn<Row>(rows: readonly Row[], step = STEP): Drawn<Row> {
  const [most, setMost] = useState(step);
  const left = rows.length - most;
  return {
    rows: rows.slice(0, most),
    more: left > 0 && <More left={left} show={() => setMost(most + step)} />,
  };
}

/** The end of a partly drawn list, which is a button that a user presses or scrolls to. */
function More({ left, show }: { readonly left: number; readonly show: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const shown = useRef(show);
  shown.current = show;
  useEffect(() => {
    const seen = (changes: readonly IntersectionObserverEntry[]): void => {
      if (changes.some(({ isIntersecting }) => isIntersecting)) shown.current();
    };
    const observer = new IntersectionObserver(seen, { rootMargin: AHEAD });
    if (button.current !== null) observer.observe(button.current);
    return () => observer.disconnect();
    // A new observer reports a button that is still in view.
  }, [left]);
  return (
    <button type="button" class="more" ref={button} onClick={show}>
      Show more ({left} left)
    </button>
  );
}
