/** The number of previously focused controls that are remembered. */
const MAX_PAST = 30;

/**
 * Moves the focus when the focused control is removed, such as a button whose server was removed. The focus moves to
 * the control in the content that had it before, or to the content. Without this, the next Tab would begin at the top
 * of the page.
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
    // A control that remains has lost the focus because the user clicked elsewhere.
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
