import type { CDPSession, Page } from 'playwright-core';

/** The longest time that the page did not answer to the user during an action, in milliseconds. */
export async function longest(page: Page, action: () => Promise<unknown>): Promise<number> {
  await page.evaluate(`window.longest = 0; window.watch?.disconnect();
    window.watch = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.longest = Math.max(window.longest, entry.duration);
    });
    window.watch.observe({ type: 'event', durationThreshold: 16 });
    window.watch.observe({ type: 'longtask' });`);
  await action();
  await new Promise((resolve) => setTimeout(resolve, 500));
  return page.evaluate<number>('window.longest');
}

/** The time from a click until the page has drawn an element that was not there before, in milliseconds. */
export async function untilDrawn(
  page: Page,
  selector: string,
  click: () => Promise<unknown>,
): Promise<number> {
  await page.evaluate(`window.drawn = new Promise((resolve) => {
    addEventListener('click', ({ timeStamp }) => {
      const look = () => document.querySelector(${JSON.stringify(selector)}) === null
        ? requestAnimationFrame(look)
        // Two frames later, the frame with the element has been drawn.
        : requestAnimationFrame(() => requestAnimationFrame((now) => resolve(Math.round(now - timeStamp))));
      requestAnimationFrame(look);
    }, { capture: true, once: true });
  }); 0`);
  if ((await page.locator(selector).count()) > 0) throw new Error(`${selector} is there before the click`);
  await click();
  await page.locator(selector).first().waitFor();
  return page.evaluate<number>('window.drawn');
}

/** The size of what scripts of the page hold, after the garbage was collected. */
export async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize;
}
