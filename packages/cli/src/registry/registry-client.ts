import type { RegistryCache } from './registry-cache.js';
import { parsePage, parseServer, type RegistryServer } from './registry-server.js';

/** The URL of the official registry. */
export const OFFICIAL_REGISTRY = 'https://registry.modelcontextprotocol.io';

/** How long a stored response is used without a new request, in milliseconds. */
const FRESH_FOR_MS = 60 * 60_000;
const REQUEST_TIMEOUT_MS = 10_000;
const PAGE_SIZE = 100;
/** The maximum number of pages to read for each word. Pages and words are limited so that a search ends quickly. */
const MAX_PAGES = 5;
const MAX_WORDS = 4;
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** The result of a registry search. */
export interface SearchResult {
  readonly servers: readonly RegistryServer[];
  /** If the registry failed: the time of the oldest stored response used instead, in milliseconds since 1970. */
  readonly staleSince?: number | undefined;
  /** True if the registry has further results that were not fetched. */
  readonly hasMore: boolean;
}

/** Reports a registry that cannot be reached or that sends an invalid response. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
}

/** A client for the official registry's API, version 0.1. Falls back to stored responses while the registry is down. */
export class RegistryClient {
  /** @param now returns the time in milliseconds since 1970 */
  constructor(
    private readonly url: string,
    private readonly cache: Pick<RegistryCache, 'read' | 'write' | 'readAll'>,
    private readonly fetch: (url: string, init: RequestInit) => Promise<Response> = globalThis.fetch,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Returns the servers whose name contains one of the words, and whose name and description together contain all of
   * them. Active servers come first. If the registry is down, searches the stored responses.
   *
   * @throws RegistryError
   */
  async search(words: readonly string[]): Promise<SearchResult> {
    try {
      return await this.searchRegistry(words);
    } catch (error) {
      const storedResult = this.searchStored(words);
      if (storedResult.staleSince === undefined) throw error;
      return storedResult;
    }
  }

  /**
   * Returns a server's latest version. Returns undefined if the registry is available and does not list the server.
   *
   * @throws RegistryError
   */
  async find(name: string): Promise<(RegistryServer & { readonly staleSince?: number }) | undefined> {
    try {
      return await this.fetchServer(name);
    } catch (error) {
      const { servers, staleSince = 0 } = this.storedServers();
      const server = servers.find((one) => one.name === name);
      if (server === undefined) throw error;
      return { ...server, staleSince };
    }
  }

  /** Searches for each word separately, because the registry accepts only one search text per request. */
  private async searchRegistry(words: readonly string[]): Promise<SearchResult> {
    const servers: RegistryServer[] = [];
    let hasMore = false;
    for (const word of searchWords(words)) {
      const wordResult = await this.searchWord(word);
      servers.push(...wordResult.servers);
      hasMore ||= wordResult.hasMore;
      // The registry is down, so each further request would probably fail too, after another timeout.
      if (wordResult.staleSince !== undefined) return this.searchStored(words);
    }
    return { servers: findHits(servers, words), hasMore };
  }

  /** Returns the servers whose names contain a text. Reads no further pages after a stale response. */
  private async searchWord(text: string): Promise<SearchResult> {
    const servers: RegistryServer[] = [];
    let cursor = '';
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const query = new URLSearchParams({ search: text, version: 'latest', limit: String(PAGE_SIZE) });
      if (cursor !== '') query.set('cursor', cursor);
      const answer = await this.getParsed(`/v0.1/servers?${query.toString()}`, parsePage);
      if (answer === undefined) throw this.createError('has no list of servers');
      const { staleSince } = answer;
      servers.push(...answer.value.servers);
      if (staleSince !== undefined) return { servers, staleSince, hasMore: true };
      cursor = answer.value.nextCursor ?? '';
      if (cursor === '') break;
    }
    return { servers, hasMore: cursor !== '' };
  }

  private searchStored(words: readonly string[]): SearchResult {
    const { servers, staleSince } = this.storedServers();
    return { servers: findHits(servers, words), staleSince, hasMore: false };
  }

  private async fetchServer(
    name: string,
  ): Promise<(RegistryServer & { readonly staleSince?: number }) | undefined> {
    // The registry omits deleted servers by default, but the user needs the status message that explains the deletion.
    const path = `/v0.1/servers/${encodeURIComponent(name)}/versions/latest?include_deleted=true`;
    const answer = await this.getParsed(path, parseServer);
    if (answer === undefined) return undefined;
    const { value, staleSince } = answer;
    return staleSince === undefined ? value : { ...value, staleSince };
  }

  /** Returns all servers in stored responses, and the time of the oldest response. */
  private storedServers(): {
    readonly servers: readonly RegistryServer[];
    readonly staleSince: number | undefined;
  } {
    const answers = this.cache.readAll(this.baseUrl);
    const servers = answers.flatMap(({ body }) => parsePage(body)?.servers ?? parseServer(body) ?? []);
    const times = answers.map(({ time }) => time);
    return { servers, staleSince: times.length === 0 ? undefined : Math.min(...times) };
  }

  private get baseUrl(): string {
    return this.url.replace(/\/+$/, '');
  }

  /** Returns a path's parsed response, or undefined for a 404. If a request fails, returns an old stored response. */
  private async getParsed<Value>(path: string, parse: (body: unknown) => Value | undefined) {
    const { cache, now } = this;
    const url = `${this.baseUrl}${path}`;
    const entry = cache.read(url);
    const storedValue = entry && parse(entry.body);
    if (entry !== undefined && storedValue !== undefined && now() - entry.time < FRESH_FOR_MS)
      return { value: storedValue };
    try {
      const body = await this.request(url);
      if (body === undefined) return undefined;
      const value = parse(body);
      if (value === undefined) throw this.createError('answers in a way that mcpmux does not know');
      cache.write(url, body);
      return { value };
    } catch (error) {
      if (entry !== undefined && storedValue !== undefined)
        return { value: storedValue, staleSince: entry.time };
      throw error instanceof RegistryError
        ? error
        : this.createError(`cannot be reached: ${reasonOf(error)}`);
    }
  }

  private async request(url: string): Promise<unknown> {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const response = await this.fetch(url, { signal, headers: { accept: 'application/json' } });
    if (response.status === 404) return undefined;
    if (!response.ok) throw this.createError(`answers with the status ${response.status}`);
    const text = await bodyText(response);
    if (text === undefined) throw this.createError(`sends more than ${MAX_BODY_BYTES} bytes`);
    try {
      return JSON.parse(text, withoutNull) as unknown;
    } catch {
      throw this.createError('does not answer with JSON');
    }
  }

  private createError(problem: string): RegistryError {
    return new RegistryError(`The registry ${this.url} ${problem}.`);
  }
}

/**
 * Returns the words to search for, longest first, because long words match the fewest servers. Without words, returns
 * an empty string, which matches all servers.
 */
function searchWords(words: readonly string[]): readonly string[] {
  const unique = [...new Set(words.map((word) => word.toLowerCase()))];
  return unique.length === 0 ? [''] : unique.toSorted((a, b) => b.length - a.length).slice(0, MAX_WORDS);
}

function findHits(servers: readonly RegistryServer[], words: readonly string[]): readonly RegistryServer[] {
  const lowerCaseWords = words.map((word) => word.toLowerCase());
  const isMatch = ({ name, description }: RegistryServer): boolean => {
    const text = `${name} ${description}`.toLowerCase();
    return lowerCaseWords.every((word) => text.includes(word));
  };
  const matches = servers.filter((server) => server.status !== 'deleted' && isMatch(server));
  const unique = [...new Map(matches.map((server) => [server.name, server])).values()];
  return unique.toSorted((a, b) => Number(a.status !== 'active') - Number(b.status !== 'active'));
}

/** Returns a response's body as text. Stops reading and returns undefined if the body exceeds `MAX_BODY_BYTES`. */
async function bodyText({ body }: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  for await (const part of body ?? []) {
    byteCount += part.length;
    if (byteCount > MAX_BODY_BYTES) return undefined;
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}

/** Removes null values, which some registries use for missing members, such as the cursor after the last page. */
function withoutNull(_: string, value: unknown): unknown {
  return value === null ? undefined : value;
}
