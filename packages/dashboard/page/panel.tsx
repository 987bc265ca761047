import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Screens on which a panel is beside its list, as in the style sheet: it is seen there without scrolling. */
const BESIDE = '(min-width: 1100px)';

/** The details of one thing: beside its list on wide screens, and below the list on narrow ones. */
export function Panel(props: {
  readonly id: string;
  readonly title: ComponentChildren;
  readonly close?: (() => void) | undefined;
  readonly children: ComponentChildren;
}) {
  const { id, title, close, children } = props;
  const element = useRef<HTMLElement>(null);
  /** The control that opened the panel: it has the focus again once the panel is closed. */
  const opener = useRef(document.activeElement);
  useEffect(() => {
    if (!matchMedia(BESIDE).matches) element.current?.scrollIntoView({ block: 'nearest' });
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
      {children}
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
  return (
    <div class={isOpen ? 'split open' : 'split'}>
      <div class="list">{list}</div>
      {details}
    </div>
  );
}
