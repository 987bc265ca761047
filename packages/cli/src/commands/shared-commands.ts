import type { Command } from 'commander';

import { command, count, run, type Exit } from './command-builder.js';

/** Returns the commands about the processes that windows share. */
export function sharedCommands(exit: Exit): readonly Command[] {
  const status = command('status', 'list the mcpmux processes that windows share (serve --shared)');
  const stop = command('stop', 'end them; a window starts the next one when its client sends something');
  const restart = command('restart', 'end them; their windows start the next one at once');
  for (const part of [status, stop, restart])
    part.option('--pid <pid>', 'only the one with this process id', count);
  return [
    run(status, exit, async () => (await import('./shared-processes.js')).status),
    run(stop, exit, async () => (await import('./shared-processes.js')).stop),
    run(restart, exit, async () => (await import('./shared-processes.js')).restart),
  ];
}
