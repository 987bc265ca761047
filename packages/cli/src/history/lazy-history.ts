import process from 'node:process';

import type { HistorySettings } from '@mcpmux/config';
import type { Logger, Mux } from '@mcpmux/core';

import { thisProcess } from '../config/this-process.js';
import type { CallHistory } from './call-history.js';

interface MuxWithHistory {
  readonly mux: Pick<Mux, 'on'>;
  readonly logger: Logger;
  readonly config: string;
}

/** Returns a mux's call history, whose modules are imported only when the config first enables it. */
export function lazyHistory(parts: MuxWithHistory): { apply(settings: HistorySettings | undefined): void } {
  let loaded: Promise<CallHistory> | undefined;
  return {
    apply: (settings = false) => {
      if (settings !== false) loaded ??= loadHistory(parts);
      void loaded?.then((history) => history.apply(settings));
    },
  };
}

async function loadHistory({ mux, logger, config }: MuxWithHistory): Promise<CallHistory> {
  const [{ CallHistory: History }, { HistoryFile }] = await Promise.all([
    import('./call-history.js'),
    import('./history-file.js'),
  ]);
  const history = new History({ mux, logger, config, file: new HistoryFile(thisProcess()) });
  process.once('exit', () => history.flushOnExit());
  return history;
}
