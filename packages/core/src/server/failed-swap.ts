import type { Logger } from '@mcpmux/kit';
import type { ServerName } from '@mcpmux/namespace';

import { failureReport, summarize, type RunFailure } from './link/run-failure.js';

/** Records that a server's last reload failed and its previous run continues. */
export class FailedSwap {
  /** A sentence that explains why the previous run continues. Undefined if the last reload succeeded. */
  warning: string | undefined;

  constructor(
    private readonly server: ServerName,
    private readonly logger: Logger,
  ) {}

  /** Records and logs a failure. Returns false, without recording, if the server was removed or the mux was closed. */
  record(failure: RunFailure): boolean {
    const { server, logger } = this;
    if (failure.kind === 'removed' || failure.kind === 'shut-down') return false;
    this.warning = `the last reload failed, and the previous run continues: ${summarize(server, failure)}`;
    logger.log('error', failureReport(server, failure), { server });
    return true;
  }

  clear(): void {
    this.warning = undefined;
  }
}
