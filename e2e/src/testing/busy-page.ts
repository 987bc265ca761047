import { createMux, type Mux } from '@mcpmux/core';
import { createDashboard, type Dashboard } from '@mcpmux/dashboard';
import { createHttpFront, type HttpFront } from '@mcpmux/http';
import type { Browser, Page } from 'playwright-core';

import { openBrowser, watched } from './browser.js';
import { BusyMux } from './busy-mux.js';

/** The parts of a page that end with it. */
interface Parts {
  readonly busy: BusyMux;
  readonly mux: Mux;
  readonly front: HttpFront;
  readonly browser: Browser;
}

/** The page of a {@link BusyMux}, in a browser that has not opened the link yet. */
export class BusyPage implements AsyncDisposable {
  private constructor(
    readonly page: Page,
    readonly link: string,
    /** What the page has done that it must not do. */
    readonly seen: ReturnType<typeof watched>,
    private readonly parts: Parts,
  ) {}

  /** @param served changes what the front serves */
  static async open(served = (dashboard: Dashboard): Dashboard => dashboard): Promise<BusyPage> {
    const busy = new BusyMux();
    const mux = createMux();
    const dashboard = createDashboard(busy as never, { about: { version: '1' }, callsOf: busy.callsOf });
    const front = createHttpFront(mux, { mounted: served(dashboard), mountedOnly: true });
    const { origin } = new URL(await front.listen());
    const browser = await openBrowser();
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    return new BusyPage(page, dashboard.link(origin), watched(page), { busy, mux, front, browser });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { busy, mux, front, browser } = this.parts;
    busy.close();
    await browser.close();
    await front[Symbol.asyncDispose]();
    await mux[Symbol.asyncDispose]();
  }
}
