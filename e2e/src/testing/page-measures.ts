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

/** The size of what scripts of the page hold, after the garbage was collected. */
export async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize;
}
