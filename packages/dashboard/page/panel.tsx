import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/**
 * False while a panel opens next to its list. The first frame shows the narrower list and the head of the panel, and
 * the next frame shows the content, so the user sees the reaction at once.
 */
const HasRoom = createContext(true);

/** True on screens where the style sheet puts a panel next to its list, so that it is visible without scrolling. */
function isBeside(): boolean {
  return matchMedia('(min-width: 1100px)').matches;
}

/** Shows the details of an entry, next to its list on wide screens and below it on narrow screens. */
export function Panel(props: {
  readonly id: string;
  readonly title: ComponentChildren;
  readonly close?: (() => void) | undefined;
  readonly children: ComponentChildren;
}) {
  const { id, title, close, children } = props;
  const hasRoom = useContext(HasRoom);
  const element = useRef<HTMLElement>(null);
  /** The control that opened the panel. It gets the focus when the panel is closed. */
  const opener = useRef(document.activeElement);
  useEffect(() => {
    if (!isBeside()) element.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section ref={element} aria-labelledby={id} class="panel side">
      <div class="head">
        <h2 id={id}>{title}</h2>
        {close !== undefined && (
          <button
            type="button"
            onClick={() => {
              close();
              if (opener.current instanceof HTMLElement) opener.current.focus();
            }}
          >
            Close
          </button>
        )}
      </div>
      {hasRoom && children}
    </section>
  );
}

/** Shows a list, and next to it the details of one entry. */
export function Split({
  list,
  details,
}: {
  readonly list: ComponentChildren;
  readonly details: ComponentChildren;
}) {
  const isOpen = details !== undefined && details !== null && details !== false;
  const hasRoom = usePainted(isOpen) || (isOpen && !isBeside());
  return (
    <div class={isOpen ? 'split open' : 'split'}>
      <div class="list">{list}</div>
      <HasRoom.Provider value={hasRoom}>{details}</HasRoom.Provider>
    </div>
  );
}

/** True after the browser has painted the page with a true state. */
function usePainted(state: boolean): boolean {
  const [painted, setPainted] = useState(state);
  // A plain effect can run before the paint, because the next batch of calls draws the page and runs the pending
  // effects.
  useLayoutEffect(() => {
    if (!state) {
      setPainted(false);
      return undefined;
    }
    let timer: ReturnType<typeof setTimeout>;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(true), 0);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [state]);
  return painted && state;
}
