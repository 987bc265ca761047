import process from 'node:process';

import type { ConfigLocation } from '@mcpmux/config/find';
import type { Limits, Mux } from '@mcpmux/core';
import type { ClusterView, Dashboard } from '@mcpmux/dashboard';
import type { HttpFront, MountedPages } from '@mcpmux/http';

import { writeErr } from '../base/terminal-output.js';
import { VERSION } from '../base/version.js';
import type { ConfigInForce } from '../config/config-in-force.js';
import type { PageCalls, PageHost } from '../live/instance-components.js';
import type { StderrLogger } from '../log/stderr-logger.js';
import type { OpeningFile } from './opening-file.js';
import type { RuleOptions } from './page-rules.js';
import type { UiLink } from './ui-link.js';

/** The dependencies of a page. */
export interface ServedPageParts {
  readonly mux: Mux;
  /** The config that is served. */
  readonly location: ConfigLocation | undefined;
  readonly logger: StderrLogger;
  readonly options: RuleOptions & { readonly limits: Partial<Limits> };
  readonly cluster?: ClusterView | undefined;
  /** The config in the form that the mux uses. */
  readonly inForce: ConfigInForce;
  /** Makes the mux use the changed config. */
  readonly applied: () => Promise<unknown>;
}

/** The page of this mcpmux. Its code is loaded and its port is opened with the first request for a link. */
export class ServedPage implements PageHost {
  private calls: PageCalls = { callsOf: () => undefined, recentCalls: () => [] };
  private dashboard: Promise<Dashboard> | undefined;
  private origin: Promise<string> | undefined;
  private front: HttpFront | undefined;
  private readonly files = new Set<OpeningFile>();

  constructor(private readonly parts: ServedPageParts) {}

  reads(calls: PageCalls): void {
    this.calls = calls;
  }

  /** Returns the pages for a front that serves the page along with MCP. */
  mounted(): Promise<MountedPages> {
    return this.loaded();
  }

  /** Called when the front listens. Prints the first link, if the flag requests one. */
  async servedAt(origin: string, link: UiLink): Promise<void> {
    this.origin = Promise.resolve(origin);
    if (link === 'none') return;
    const url = await this.link(link === 'read-only');
    writeErr(`mcpmux: the page opens once, within two minutes, at ${url}\n`);
  }

  async opening(isReadOnly: boolean): Promise<{ readonly url: string; readonly file: string }> {
    const { OpeningFile } = await import('./opening-file.js');
    const opened: { file?: OpeningFile } = {};
    const url = await this.link(isReadOnly, () => opened.file?.[Symbol.dispose]());
    const file = OpeningFile.write(url);
    opened.file = file;
    this.files.add(file);
    return { url, file: file.path };
  }

  /**
   * Returns a link to the page.
   *
   * @param used called when a browser has used the link
   */
  async link(isReadOnly: boolean, used?: () => void): Promise<string> {
    const dashboard = await this.loaded();
    this.origin ??= this.listen(dashboard).catch((error: unknown) => {
      // The next request for a link tries again.
      this.origin = undefined;
      throw error;
    });
    return dashboard.link(await this.origin, { mayManage: !isReadOnly }, used);
  }

  close(): void {
    for (const file of this.files) file[Symbol.dispose]();
    void this.front?.close();
  }

  private loaded(): Promise<Dashboard> {
    this.dashboard ??= this.load().catch((error: unknown) => {
      this.dashboard = undefined;
      throw error;
    });
    return this.dashboard;
  }

  private async load(): Promise<Dashboard> {
    const { mux, location, applied, inForce, options, cluster } = this.parts;
    const [
      { createDashboard },
      { configEditor },
      { registryForPage },
      { rulesOf },
      { problemText },
      { pastCalls },
    ] = await Promise.all([
      import('@mcpmux/dashboard'),
      import('./config-editor.js'),
      import('./page-registry.js'),
      import('./page-rules.js'),
      import('./problem-text.js'),
      import('./past-calls.js'),
    ]);
    const past = location === undefined ? [] : pastCalls(location.file);
    const rules = (): Readonly<Record<string, string>> => rulesOf(options, inForce.applied);
    return createDashboard(mux, {
      about: {
        version: VERSION,
        config: location?.file,
        folder: process.cwd(),
        limits: options.limits,
        rules,
      },
      editor: location && configEditor(location, inForce, applied),
      registry: registryForPage(),
      cluster,
      callsOf: (server) => this.calls.callsOf(server),
      recentCalls: () => [...past, ...this.calls.recentCalls()],
      problemOf: problemText,
    });
  }

  /** Opens a separate port, which serves only the page. */
  private async listen(mounted: Dashboard): Promise<string> {
    const { createHttpFront } = await import('@mcpmux/http');
    const { mux, logger } = this.parts;
    this.front = createHttpFront(mux, { mounted, mountedOnly: true, logger });
    return new URL(await this.front.listen()).origin;
  }
}
