import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { createMux, type Mux } from '@mcpmux/core';
import { createHttpFront, type HttpFront, type HttpFrontOptions } from '@mcpmux/http';

import { createDashboard, type Dashboard, type DashboardOptions } from '../dashboard.js';

/** An answer, as it came. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** A request, as it goes over the wire. */
export interface Request {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** A mux with a front and its page, and a browser's side of them. */
export class PageRig implements AsyncDisposable {
  private constructor(
    readonly mux: Mux,
    readonly dashboard: Dashboard,
    private readonly served: { readonly front: HttpFront; readonly origin: string },
    private readonly clock: { now: number },
  ) {}

  get origin(): string {
    return this.served.origin;
  }

  static async open(
    options: Partial<DashboardOptions> = {},
    front: Partial<HttpFrontOptions> = {},
  ): Promise<PageRig> {
    const around = mkdtempSync(join(tmpdir(), 'mcpmux-page-'));
    const folder = join(around, 'page');
    mkdirSync(folder);
    writeFileSync(join(folder, 'index.html'), '<!doctype html>');
    // Files that no page serves.
    writeFileSync(join(folder, 'page.js.map'), '{}');
    writeFileSync(join(around, 'package.json'), '{}');
    const clock = { now: 1_000_000 };
    const mux = createMux();
    const dashboard = createDashboard(mux, {
      about: { version: '1' },
      folder: pathToFileURL(`${folder}/`),
      now: () => clock.now,
      ...options,
    });
    const opened = createHttpFront(mux, { mounted: dashboard, ...front });
    const { origin } = new URL(await opened.listen());
    return new PageRig(mux, dashboard, { front: opened, origin }, clock);
  }

  advance(ms: number): void {
    this.clock.now += ms;
  }

  /** The token in a new link. */
  token(mayManage = true): string {
    return new URL(this.dashboard.link(this.origin, { mayManage })).hash.slice(1);
  }

  /** Opens a link. Returns the headers that the browser sends from then on. */
  async logIn(mayManage = true): Promise<Readonly<Record<string, string>>> {
    const answer = await this.send('/ui/api/login', {
      method: 'POST',
      body: { token: this.token(mayManage) },
    });
    const [cookie = ''] = String(answer.headers['set-cookie']).split(';');
    const { key } = JSON.parse(answer.text) as { readonly key: string };
    return { cookie, 'x-mcpmux-page': key };
  }

  send(path: string, { method = 'GET', headers = {}, body }: Request = {}): Promise<Answer> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const { hostname: host, port } = new URL(this.origin);
      // The path goes out as it is, with its dots.
      const target = { host, port, path, method, headers: { ...type, ...headers } };
      const outgoing = send(target, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      });
      outgoing.on('error', reject).end(body && JSON.stringify(body));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.served.front.close();
    await this.mux.close();
  }
}
