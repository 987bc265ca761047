import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * Rows that are drawn at first, and with each further step: a window full. The browser lays out all rows again with a
 * change of one.
 */
const STEP = 20;
/** The next rows are drawn before the end of the list is in view, in pixels. */
const AHEAD = '100px';

/** The part of a list that is drawn, and the end of the list, which draws more. */
interface Drawn<Row> {
  readonly rows: readonly Row[];
  readonly more: ComponentChildren;
}

/**
 * Draws a list of hundreds of rows as far as the user looks at it.
 *
 * @param step the rows that fill a window
 */
export function useDrawn<Row>(rows: readonly Row[], step = STEP): Drawn<Row> {
  const [most, setMost] = useState(step);
  const left = rows.length - most;
  return {
    rows: rows.slice(0, most),
    more: left > 0 && <More left={left} show={() => setMost(most + step)} />,
  };
}

/** The end of a list that is drawn in part: a button that a user presses or scrolls to. */
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
    // A new observer tells of a button that is in view still.
  }, [left]);
  return (
    <button type="button" class="more" ref={button} onClick={show}>
      Show more ({left} left)
    </button>
  );
}
