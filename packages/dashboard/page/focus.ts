/** The number of controls that had the focus and are remembered. */
const MAX_PAST = 30;

/**
 * Moves the focus when the control that has it goes away, such as a button whose server was removed: to the control of
 * the content that had it before, or to the content. Without this, the next Tab would begin at the top of the page.
 */
export function keepFocus(): void {
  /** The controls that had the focus, the latest at the end. */
  let past: readonly HTMLElement[] = [];
  let current: HTMLElement | undefined;
  addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    current = target;
    past = [...past.filter((one) => one !== target && one.isConnected), target].slice(-MAX_PAST);
  });
  addEventListener('focusout', ({ target }) => {
    // A control that stays has lost the focus to the user, who has clicked beside it.
    queueMicrotask(() => {
      if (current === target && current?.isConnected && current !== document.activeElement)
        current = undefined;
    });
  });
  const moved = (): void => {
    if (current === undefined || current.isConnected) return;
    current = undefined;
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    const main = document.querySelector('main');
    const before = past.findLast((one) => one.checkVisibility() && main?.contains(one) === true);
    (before ?? main)?.focus();
  };
  new MutationObserver(moved).observe(document.body, { childList: true, subtree: true });
}
