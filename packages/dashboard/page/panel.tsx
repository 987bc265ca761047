import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/**
 * False while a panel opens beside its list: one frame shows the narrower list and the head of the panel, and the next one
 * shows the content. The user sees at once that something happens.
 */
const HasRoom = createContext(true);

/** True on screens where the style sheet puts a panel beside its list: the user sees it there without scrolling. */
function isBeside(): boolean {
  return matchMedia('(min-width: 1100px)').matches;
}

/** The details of one thing: beside its list on wide screens, and below the list on narrow ones. */
export function Panel(props: {
  readonly id: string;
  readonly title: ComponentChildren;
  readonly close?: (() => void) | undefined;
  readonly children: ComponentChildren;
}) {
  const { id, title, close, children } = props;
  const hasRoom = useContext(HasRoom);
  const element = useRef<HTMLElement>(null);
  /** The control that opened the panel: it has the focus again once the panel is closed. */
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

/** A list, and beside it what is known of one of its entries. */
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

/** True once the browser has painted the page with a state that is true. */
function usePainted(state: boolean): boolean {
  const [painted, setPainted] = useState(state);
  // A plain effect can run before the paint: the next batch of calls draws the page, and runs the effects that wait.
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
