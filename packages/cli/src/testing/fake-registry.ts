import { readFileSync } from 'node:fs';

import type { StoredResponse } from '../registry/registry-cache.js';
import { RegistryClient } from '../registry/registry-client.js';

interface Entry {
  readonly server?: { readonly name?: string };
  readonly _meta?: Readonly<Record<string, { readonly status?: string; readonly isLatest?: boolean }>>;
}

const OFFICIAL = 'io.modelcontextprotocol.registry/official';
const FIXTURE = JSON.parse(readFileSync(new URL('registry-fixture.json', import.meta.url), 'utf8')) as {
  readonly pages: Readonly<Record<string, { readonly servers: readonly Entry[] }>>;
};

/** A page of the list, with the servers whose name has the sought text. */
function pageOf(query: URLSearchParams): object {
  const page = FIXTURE.pages[query.get('cursor') ?? ''];
  const sought = query.get('search')?.toLowerCase() ?? '';
  const hasName = ({ server }: Entry): boolean => server?.name?.toLowerCase().includes(sought) !== false;
  return { ...page, servers: page?.servers.filter(hasName) ?? [] };
}

/** A registry with two pages, in the shape of the official one, and a cache in memory. */
export class FakeRegistry {
  now = 1_000_000_000_000;
  isDown = false;
  /** Every page names a next one. */
  isEndless = false;
  /** What it answers in place of its data. */
  broken: Response | undefined;
  readonly requests: string[] = [];
  readonly stored = new Map<string, StoredResponse>();
  readonly client = new RegistryClient(
    'https://registry.example/',
    {
      read: (url) => this.stored.get(url),
      write: (url, body) => void this.stored.set(url, { time: this.now, body }),
      readAll: (base) =>
        [...this.stored].filter(([url]) => url.startsWith(`${base}/`)).map(([, answer]) => answer),
    },
    (url) => this.answer(new URL(url)),
    () => this.now,
  );

  answer(url: URL): Promise<Response> {
    this.requests.push(`${url.pathname}${url.search}`);
    if (this.isDown)
      return Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }));
    if (this.isEndless)
      return Promise.resolve(
        Response.json({ servers: [], metadata: { nextCursor: `${this.requests.length}` } }),
      );
    if (this.broken !== undefined) return Promise.resolve(this.broken);
    if (url.pathname === '/v0.1/servers') return Promise.resolve(Response.json(pageOf(url.searchParams)));
    const name = decodeURIComponent(
      /^\/v0\.1\/servers\/([^/]+)\/versions\/latest$/.exec(url.pathname)?.[1] ?? '',
    );
    const all = Object.values(FIXTURE.pages).flatMap(({ servers }) => servers);
    const isShown = ({ _meta: meta }: Entry): boolean =>
      url.searchParams.get('include_deleted') === 'true' || meta?.[OFFICIAL]?.status !== 'deleted';
    const found = all.find((entry) => entry.server?.name === name && isShown(entry));
    return Promise.resolve(
      found ? Response.json(found) : Response.json({ error: 'not found' }, { status: 404 }),
    );
  }
}
