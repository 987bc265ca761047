import { ENVELOPE } from '../load/raw-client.js';
import { StdioConnection } from '../load/stdio-connection.js';
import { ManagedProcess, nodeCommand, type CommandLine } from '../managed-process.js';
import { programPath } from '../program-path.js';
import { MCPMUX_COMMAND, startMux, type Eras } from './stdio-targets.js';
import { running, UNBOUNDED, type EraTargetName, type Target } from './target.js';

/** The byte pipe under calls of the modern era, and mcpmux in the cells that are not legacy on both sides. */
export const ERA_TARGETS: Readonly<Record<EraTargetName, Target>> = {
  'modern-byte-pipe': {
    label: 'byte-pipe, 2026-07-28',
    maxBytesInFlight: UNBOUNDED,
    start: (server) => {
      const { command, args } = modern(server);
      const process = new ManagedProcess(nodeCommand(programPath('byte-pipe'), command, ...args));
      const connection = new StdioConnection(process);
      return running(connection, { tool: 'echo', pid: process.pid, envelope: ENVELOPE });
    },
  },
  'modern-on-modern': muxTarget('mcpmux, 2026-07-28 on 2026-07-28', {
    envelope: ENVELOPE,
    protocol: 'modern',
  }),
  'modern-on-legacy': muxTarget('mcpmux, 2026-07-28 on 2025-11-25', {
    envelope: ENVELOPE,
    protocol: 'legacy',
  }),
  'legacy-on-modern': muxTarget('mcpmux, 2025-11-25 on 2026-07-28', { protocol: 'modern' }),
};

function muxTarget(label: string, eras: Eras): Target {
  const start: Target['start'] = (server) =>
    startMux(MCPMUX_COMMAND, eras.protocol === 'modern' ? modern(server) : server, eras);
  return { label, maxBytesInFlight: UNBOUNDED, start };
}

/** The echo server as one of the modern era. */
function modern({ command, args }: CommandLine): CommandLine {
  return { command, args: [...args, '--modern'] };
}
