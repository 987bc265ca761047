import type { Command } from 'commander';

import { command, count, instances, run, type Exit } from './command-builder.js';

/** Returns the commands about a running mcpmux. */
export function runningCommands(exit: Exit): readonly Command[] {
  const reload = instances(
    command('reload [name...]', 'read the config of a running mcpmux again, or restart servers').alias(
      'reload-config',
    ),
  );
  const logs = instances(command('logs [name...]', 'show the logs of servers of a running mcpmux'))
    .option('-f, --follow', 'print new entries as they come')
    .option('-n, --lines <count>', 'the number of entries per server (default: 50)', count);
  const top = instances(command('top', 'watch servers, calls and logs of a running mcpmux')).option(
    '--once',
    'print the state once, and exit',
  );
  const ui = instances(
    command('ui', 'open the page of the running mcpmux in a browser, or start one with a page'),
  )
    .option('--no-open', 'only print the link')
    .option('--read-only', 'a link to a page that changes nothing')
    .option('--port <port>', 'the port of a mcpmux that is started (default: any free port)', count);
  return [
    run(ui, exit, async () => (await import('./ui.js')).ui),
    run(reload, exit, async () => (await import('./reload.js')).reload),
    run(logs, exit, async () => (await import('./logs.js')).logs),
    run(top, exit, async () => (await import('./top.js')).top),
  ];
}
