import process from 'node:process';

import type { ConfigLocation } from '@mcpmux/config/find';
import type { Limits, Mux } from '@mcpmux/core';
import type { ClusterView, Dashboard } from '@mcpmux/dashboard';
import type { HttpFront, MountedPages } from '@mcpmux/http';

import { writeStderr } from '../base/terminal-output.js';
import { VERSION } from '../base/version.js';
import type { ConfigInForce } from '../config/config-in-force.js';
import type { PageCallReaders, PageHost } from '../live/instance-components.js';
import type { StderrLogger } from '../log/stderr-logger.js';
import type { OpeningFile } from './opening-file.js';
import type { RuleOptions } from './page-rules.js';
import type { UiLink } from './ui-link.js';

/** The services and settings that {@link ServedPage} needs. */
export interface ServedPageParts {
  readonly mux: Mux;
  /** The location of the config that this process serves. Undefined without a config. */
  readonly location: ConfigLocation | undefined;
  readonly logger: StderrLogger;
  readonly options: RuleOptions & { readonly limits: Partial<Limits> };
  readonly cluster?: ClusterView | undefined;
  /** The config as the mux last applied it. */
  readonly activeConfig: ConfigInForce;
  /** Applies the config file to the mux after the page has changed the file. */
  readonly applyConfig: () => Promise<unknown>;
}

/** The page of this mcpmux. Its code is loaded on first use. Without an HTTP front, it opens its own port. */
export class ServedPage implements PageHost {
  private callReaders: PageCallReaders = { callsOf: () => undefined, recentCalls: () => [] };
  private dashboard: Promise<Dashboard> | undefined;
  private origin: Promise<string> | undefined;
  private front: HttpFront | undefined;
  private readonly openingFiles = new Set<OpeningFile>();

  constructor(private readonly parts: ServedPageParts) {}

  setCallReaders(calls: PageCallReaders): void {
    this.callReaders = calls;
  }

  /** Returns the page for an HTTP front that also serves MCP. */
  mountedPages(): Promise<MountedPages> {
    return this.getDashboard();
  }

  /** Sets the origin of an HTTP front once it listens, and prints the first link unless `link` is `none`. */
  async setOrigin(origin: string, link: UiLink): Promise<void> {
    this.origin = Promise.resolve(origin);
    if (link === 'none') return;
    const url = await this.createLink(link === 'read-only');
    writeStderr(`mcpmux: the page opens once, within two minutes, at ${url}\n`);
  }

  async createOpeningFile(isReadOnly: boolean): Promise<{ readonly url: string; readonly file: string }> {
    const { OpeningFile } = await import('./opening-file.js');
    const opened: { file?: OpeningFile } = {};
    const url = await this.createLink(isReadOnly, () => opened.file?.[Symbol.dispose]());
    const file = OpeningFile.write(url);
    opened.file = file;
    this.openingFiles.add(file);
    return { url, file: file.path };
  }

  /**
   * Returns a link to the page.
   *
   * @param onUsed called after a browser has used the link
   */
  async createLink(isReadOnly: boolean, onUsed?: () => void): Promise<string> {
    const dashboard = await this.getDashboard();
    this.origin ??= this.openPort(dashboard).catch((error: unknown) => {
      // The next request for a link must try again to open the port.
      this.origin = undefined;
      throw error;
    });
    return dashboard.link(await this.origin, { mayManage: !isReadOnly }, onUsed);
  }

  close(): void {
    for (const file of this.openingFiles) file[Symbol.dispose]();
    void this.front?.close();
  }

  private getDashboard(): Promise<Dashboard> {
    this.dashboard ??= this.loadDashboard().catch((error: unknown) => {
      this.dashboard = undefined;
      throw error;
    });
    return this.dashboard;
  }

  private async loadDashboard(): Promise<Dashboard> {
    const { mux, location, applyConfig, activeConfig, options, cluster } = this.parts;
    const [
      { createDashboard },
      { configEditor },
      { registryForPage },
      { rulesOf },
      { problemText },
      { readPastCalls },
    ] = await Promise.all([
      import('@mcpmux/dashboard'),
      import('./config-editor.js'),
      import('./page-registry.js'),
      import('./page-rules.js'),
      import('./problem-text.js'),
      import('./past-calls.js'),
    ]);
    const storedCalls = location === undefined ? [] : readPastCalls(location.file);
    const rules = (): Readonly<Record<string, string>> => rulesOf(options, activeConfig.applied);
    return createDashboard(mux, {
      about: {
        version: VERSION,
        config: location?.file,
        folder: process.cwd(),
        limits: options.limits,
        rules,
      },
      editor: location && configEditor(location, activeConfig, applyConfig),
      registry: registryForPage(),
      cluster,
      callsOf: (server) => this.callReaders.callsOf(server),
      recentCalls: () => [...storedCalls, ...this.callReaders.recentCalls()],
      problemOf: problemText,
    });
  }

  /** Opens a separate port that serves only the page. */
  private async openPort(dashboard: Dashboard): Promise<string> {
    const { createHttpFront } = await import('@mcpmux/http');
    const { mux, logger } = this.parts;
    this.front = createHttpFront(mux, { mounted: dashboard, mountedOnly: true, logger });
    return new URL(await this.front.listen()).origin;
  }
}
