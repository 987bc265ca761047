import type { ServerResponse } from 'node:http';

import type { PageRights } from './one-time-links.js';

/** The session of a browser, with its unfinished responses. */
export class PageSession {
  private readonly answers = new Set<ServerResponse>();

  constructor(
    readonly rights: PageRights,
    private readonly keyHash: string,
  ) {}

  hasKey(keyHash: string): boolean {
    return keyHash === this.keyHash;
  }

  /** Destroys a response when the session ends, unless the response has ended before. */
  answering(response: ServerResponse): void {
    this.answers.add(response);
    response.once('close', () => this.answers.delete(response));
  }

  /** Ends the streams of all pages in this session, and its requests in flight. */
  end(): void {
    for (const response of this.answers) response.destroy();
  }
}
