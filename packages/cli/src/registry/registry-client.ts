import type { RegistryCache } from './registry-cache.js';
import { parsePage, parseServer, type RegistryServer } from './registry-server.js';

/** The official registry. */
export const OFFICIAL_REGISTRY = 'https://registry.modelcontextprotocol.io';

/** The time for which a stored response is used without a request. */
const FRESH_MS = 60 * 60_000;
const TIMEOUT_MS = 10_000;
const PAGE_SIZE = 100;
/** The limit of pages for each word. There is also a limit of words, because people wait for a search. */
const MAX_PAGES = 5;
const MAX_WORDS = 4;
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** The servers that a search in a registry found. */
export interface FoundServers {
  readonly servers: readonly RegistryServer[];
  /** The time of the stored responses that were used because the registry cannot be reached. */
  readonly staleSince?: number | undefined;
  /** True if the registry has more servers than were read. */
  readonly isCut: boolean;
}

/** The registry cannot be reached, or its response is not a registry's response. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
}

/**
 * Reads a registry that has the API of the official registry, version 0.1. Responses are stored, and are used while the
 * registry is down.
 */
export class RegistryClient {
  /** @param now milliseconds since 1970 */
  constructor(
    private readonly url: string,
    private readonly cache: Pick<RegistryCache, 'read' | 'write' | 'all'>,
    private readonly fetch: (url: string, init: RequestInit) => Promise<Response> = globalThis.fetch,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Returns the servers whose name has one of the words, and whose name or description has all of them. Active servers
   * come first. If the registry is down, searches the servers of all earlier responses.
   *
   * @throws RegistryError
   */
  async search(words: readonly string[]): Promise<FoundServers> {
    try {
      return await this.searched(words);
    } catch (error) {
      const found = this.remembered(words);
      if (found.staleSince === undefined) throw error;
      return found;
    }
  }

  /**
   * Returns the latest version of a server. Undefined if the registry has no server with that name.
   *
   * @throws RegistryError
   */
  async find(name: string): Promise<(RegistryServer & { readonly staleSince?: number }) | undefined> {
    try {
      return await this.found(name);
    } catch (error) {
      const { servers, staleSince = 0 } = this.stored();
      const server = servers.find((one) => one.name === name);
      if (server === undefined) throw error;
      return { ...server, staleSince };
    }
  }

  /** Searches for each word separately, because the registry searches names for a single text. */
  private async searched(words: readonly string[]): Promise<FoundServers> {
    const servers: RegistryServer[] = [];
    let isCut = false;
    for (const word of soughtWords(words)) {
      const found = await this.named(word);
      servers.push(...found.servers);
      isCut ||= found.isCut;
      // The registry did not answer properly, and each further word could wait for it again.
      if (found.staleSince !== undefined) return this.remembered(words);
    }
    return { servers: matching(servers, words), isCut };
  }

  /**
   * Returns the servers whose name contains a text. After the first stored response, resolves without the remaining
   * pages.
   */
  private async named(text: string): Promise<FoundServers> {
    const servers: RegistryServer[] = [];
    let cursor = '';
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const query = new URLSearchParams({ search: text, version: 'latest', limit: String(PAGE_SIZE) });
      if (cursor !== '') query.set('cursor', cursor);
      const answer = await this.get(`/v0.1/servers?${query.toString()}`, parsePage);
      if (answer === undefined) throw this.error('has no list of servers');
      const { staleSince } = answer;
      servers.push(...answer.value.servers);
      if (staleSince !== undefined) return { servers, staleSince, isCut: true };
      cursor = answer.value.nextCursor ?? '';
      if (cursor === '') break;
    }
    return { servers, isCut: cursor !== '' };
  }

  /** Returns the matching servers of all earlier responses. */
  private remembered(words: readonly string[]): FoundServers {
    const { servers, staleSince } = this.stored();
    return { servers: matching(servers, words), staleSince, isCut: false };
  }

  private async found(
    name: string,
  ): Promise<(RegistryServer & { readonly staleSince?: number }) | undefined> {
    // A registry hides deleted servers unless the request includes them. The reason for the deletion is useful to the
    // person who named the server.
    const path = `/v0.1/servers/${encodeURIComponent(name)}/versions/latest?include_deleted=true`;
    const answer = await this.get(path, parseServer);
    if (answer === undefined) return undefined;
    const { value, staleSince } = answer;
    return staleSince === undefined ? value : { ...value, staleSince };
  }

  /** Returns all servers in stored responses, and the time of the oldest response. */
  private stored(): { readonly servers: readonly RegistryServer[]; readonly staleSince: number | undefined } {
    const answers = this.cache.all(this.base);
    const servers = answers.flatMap(({ body }) => parsePage(body)?.servers ?? parseServer(body) ?? []);
    const times = answers.map(({ time }) => time);
    return { servers, staleSince: times.length === 0 ? undefined : Math.min(...times) };
  }

  private get base(): string {
    return this.url.replace(/\/+$/, '');
  }

  /** Returns the response for a path, stored or new. Undefined if the registry has nothing at the path. */
  private async get<Value>(path: string, parse: (body: unknown) => Value | undefined) {
    const { cache, now } = this;
    const url = `${this.base}${path}`;
    const stored = cache.read(url);
    const old = stored && parse(stored.body);
    if (stored !== undefined && old !== undefined && now() - stored.time < FRESH_MS) return { value: old };
    try {
      const body = await this.request(url);
      if (body === undefined) return undefined;
      const value = parse(body);
      if (value === undefined) throw this.error('answers in a way that mcpmux does not know');
      cache.write(url, body);
      return { value };
    } catch (error) {
      if (stored !== undefined && old !== undefined) return { value: old, staleSince: stored.time };
      throw error instanceof RegistryError ? error : this.error(`cannot be reached: ${reasonOf(error)}`);
    }
  }

  private async request(url: string): Promise<unknown> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await this.fetch(url, { signal, headers: { accept: 'application/json' } });
    if (response.status === 404) return undefined;
    if (!response.ok) throw this.error(`answers with the status ${response.status}`);
    const text = await textOf(response);
    if (text === undefined) throw this.error(`sends more than ${MAX_BODY_BYTES} bytes`);
    try {
      return JSON.parse(text, withoutNull) as unknown;
    } catch {
      throw this.error('does not answer with JSON');
    }
  }

  private error(problem: string): RegistryError {
    return new RegistryError(`The registry ${this.url} ${problem}.`);
  }
}

/**
 * Returns the words to search for in names. The longest words come first, because they exclude the most servers.
 * Without words, searches for all servers.
 */
function soughtWords(words: readonly string[]): readonly string[] {
  const unique = [...new Set(words.map((word) => word.toLowerCase()))];
  return unique.length === 0 ? [''] : unique.toSorted((a, b) => b.length - a.length).slice(0, MAX_WORDS);
}

function matching(servers: readonly RegistryServer[], words: readonly string[]): readonly RegistryServer[] {
  const wanted = words.map((word) => word.toLowerCase());
  const isFound = ({ name, description }: RegistryServer): boolean => {
    const text = `${name} ${description}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
  const shown = servers.filter((server) => server.status !== 'deleted' && isFound(server));
  const unique = [...new Map(shown.map((server) => [server.name, server])).values()];
  return unique.toSorted((a, b) => Number(a.status !== 'active') - Number(b.status !== 'active'));
}

/** Returns the body as text. Undefined for a body above the limit, of which the rest is not read. */
async function textOf({ body }: Response): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > MAX_BODY_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}

/**
 * Removes null values. Some registries write null for a member without a value, such as the cursor after the last page.
 */
function withoutNull(_: string, value: unknown): unknown {
  return value === null ? undefined : value;
}
