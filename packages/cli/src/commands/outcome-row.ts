import type { LoadedConfig } from '@mcpmux/config';

import type { CallSummary } from '@mcpmux/dashboard';
import type { Outcome } from '../live/outcome.js';
import { serverErrors } from './load-servers.js';
import { stateRow, type ServerRow } from './server-row.js';

type ServerCalls = Readonly<Record<string, CallSummary>>;

/** Returns the row for a configured server, based on the outcome of its start. */
export function outcomeRow(config: LoadedConfig, outcome: Outcome, calls: ServerCalls = {}): ServerRow {
  const { name } = outcome;
  switch (outcome.kind) {
    case 'running':
      return {
        ...stateRow(outcome.state, calls),
        ...(outcome.startMs !== undefined && { start_ms: outcome.startMs }),
      };
    case 'remembered':
      return { name, status: 'ready', tools: outcome.tools };
    case 'ready':
    case 'starting':
      return { name, status: outcome.kind };
    case 'crashed':
    case 'not_loaded':
      return { name, status: outcome.kind, problem: outcome.reason };
    case 'not_selected':
      return { name, status: outcome.kind, note: outcome.reason };
    case 'failed':
      return outcome.reason === undefined
        ? rowFromConfig(config, { name, status: 'misconfigured' })
        : { name, status: 'failed', problem: outcome.reason };
    case 'disabled':
      return rowFromConfig(config, { name, status: outcome.kind });
  }
}

/** Returns the row for a server, based only on its config. */
export function rowFromConfig(
  config: LoadedConfig,
  { name, status }: Pick<LoadedConfig['servers'][number], 'name' | 'status'>,
): ServerRow {
  if (status !== 'misconfigured') return { name, status };
  const problems = serverErrors(config, name);
  return { name, status: 'failed', ...(problems.length > 0 && { problem: problems.join('; ') }) };
}
