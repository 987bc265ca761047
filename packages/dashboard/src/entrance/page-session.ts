import type { ServerResponse } from 'node:http';

import type { PageRights } from './one-time-links.js';

/** The session of a browser, with the answers that it has not read to their end. */
export class PageSession {
  private readonly answers = new Set<ServerResponse>();

  constructor(
    readonly rights: PageRights,
    private readonly keyHash: string,
  ) {}

  hasKey(keyHash: string): boolean {
    return keyHash === this.keyHash;
  }

  /** Ends an answer with the session, unless the answer ends before. */
  answering(response: ServerResponse): void {
    this.answers.add(response);
    response.once('close', () => this.answers.delete(response));
  }

  /** Ends the streams of all its pages, and its requests in flight. */
  end(): void {
    for (const response of this.answers) response.destroy();
  }
}
