import type { Logger } from '@mcpmux/kit';
import type { ServerName } from '@mcpmux/namespace';

import { report, summarize, type RunFailure } from './link/run-failure.js';

/** The last reload of a server, where it failed and the run before went on. */
export class FailedSwap {
  /** Why everything is as it was, in a sentence; undefined after a reload that succeeded. */
  warning: string | undefined;

  constructor(
    private readonly server: ServerName,
    private readonly logger: Logger,
  ) {}

  /** Records the failure. Returns false where it is none: the server was removed, or the mux is closed. */
  record(failure: RunFailure): boolean {
    const { server, logger } = this;
    if (failure.kind === 'removed' || failure.kind === 'shut-down') return false;
    this.warning = `the last reload failed, and the previous run continues: ${summarize(server, failure)}`;
    logger.log('error', report(server, failure), { server });
    return true;
  }

  clear(): void {
    this.warning = undefined;
  }
}
