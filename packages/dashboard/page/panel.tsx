import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';

/**
 * True once the list has made room for a panel beside it. One frame shows the narrower list and the head of the panel, and
 * the next one shows the content, so that the user sees at once that something happens.
 */
const HasRoom = createContext(true);

/** On screens as in the style sheet, a panel is beside its list: it is seen there without scrolling. */
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
  const hasRoom = usePainted(isOpen) || !isBeside();
  return (
    <div class={isOpen ? 'split open' : 'split'}>
      <div class="list">{list}</div>
      <HasRoom.Provider value={hasRoom}>{details}</HasRoom.Provider>
    </div>
  );
}

/** True one frame after `state` is true: the browser has painted by then. */
function usePainted(state: boolean): boolean {
  const [painted, setPainted] = useState(state);
  useEffect(() => setPainted(state), [state]);
  return painted && state;
}
