import { Option, type Command } from 'commander';
import { clientCommands } from './client-commands.js';
import { type OnExit, command, parseInteger, run, addConfigFlags, addPidFlags } from './command-builder.js';
import { configCommands } from './config-commands.js';
import { serverCommands } from './server-commands.js';
import { serverUseCommands } from './use-commands.js';
import { collect } from '../terminal/common-flags.js';

/** Returns all commands except `serve`. Each command's code is loaded only when the command runs. */
export function commandsExceptServe(exit: OnExit): readonly Command[] {
  return [
    ...configCommands(exit),
    ...serverCommands(exit),
    ...serverUseCommands(exit),
    ...instanceCommands(exit),
    ...sharedProcessCommands(exit),
    clusterCommand(exit),
    ...clientCommands(exit),
  ];
}

/** Returns the commands that list, stop and restart shared mcpmux processes (`serve --shared`). */
function sharedProcessCommands(exit: OnExit): readonly Command[] {
  const status = command('status', 'list the mcpmux processes that windows share (serve --shared)');
  const stop = command('stop', 'end them; a window starts the next one when its client sends something');
  const restart = command('restart', 'end them; their windows start the next one at once');
  for (const sharedProcessCommand of [status, stop, restart])
    sharedProcessCommand.option('--pid <pid>', 'only the one with this process id', parseInteger);
  return [
    run(status, exit, async () => (await import('./shared-processes.js')).status),
    run(stop, exit, async () => (await import('./shared-processes.js')).stop),
    run(restart, exit, async () => (await import('./shared-processes.js')).restart),
  ];
}

/** Returns the command `cluster` with its subcommands. Each subcommand's code is loaded only when it runs. */
function clusterCommand(exit: OnExit): Command {
  const status = command('status', 'list the servers of the cluster and their nodes');
  const nodes = command('nodes', 'list the nodes of the cluster');
  const drain = command('drain <node>', 'give the servers of a node to other nodes');
  for (const subcommand of [status, nodes, drain])
    addConfigFlags(subcommand).option(
      '--cluster <url>',
      'a server of NATS (default: MCPMUX_CLUSTER, or the config)',
      collect,
    );
  return command('cluster', 'show the cluster of several mcpmux (docs/cluster.md), or drain a node of it')
    .addCommand(run(status, exit, async () => (await import('./cluster.js')).printClusterStatus))
    .addCommand(run(nodes, exit, async () => (await import('./cluster.js')).printClusterNodes))
    .addCommand(run(drain, exit, async () => (await import('./cluster.js')).drainClusterNode));
}

/** Returns the commands that use a running mcpmux, and the commands for recordings, skills and the call history. */
function instanceCommands(exit: OnExit): readonly Command[] {
  const reload = addPidFlags(
    command('reload [name...]', 'read the config of a running mcpmux again, or restart servers').alias(
      'reload-config',
    ),
  );
  const logs = addPidFlags(command('logs [name...]', 'show the logs of servers of a running mcpmux'))
    .option('-f, --follow', 'print new entries as they come')
    .option('-n, --lines <count>', 'the number of entries per server (default: 50)', parseInteger);
  const top = addPidFlags(command('top', 'watch servers, calls and logs of a running mcpmux')).option(
    '--once',
    'print the state once, and exit',
  );
  const ui = addPidFlags(
    command('ui', 'open the page of the running mcpmux in a browser, or start one with a page'),
  )
    .option('--no-open', 'only print the link')
    .option('--read-only', 'a link to a page that changes nothing')
    .option('--port <port>', 'the port of a mcpmux that is started (default: any free port)', parseInteger);
  const approve = addConfigFlags(
    command('approve [id]', 'list the calls and commands that wait for an approval, or let one of them pass'),
  )
    .addOption(
      new Option('--for <scope>', 'which calls pass: this one, or the same call again')
        .choices(['once', 'session', 'always'])
        .default('once'),
    )
    .addOption(new Option('--deny', 'refuse the call').conflicts('for'))
    .option('--saved', 'list the approvals for always')
    .option('--forget <id>', 'withdraw an approval for always; all withdraws each of them');
  const record = command('record <file> <command...>', 'run a server, and write its messages into a file');
  const replay = command('replay <file>', 'be the server of a recording');
  const skills = command('skills <folder>', 'be the server of a folder of skills');
  const history = command('history', 'show the tool calls that mcpmux has stored (mux.history in the config)')
    .option('--server <name>', 'only the calls of this server')
    .option('--tool <name>', 'only the calls of this tool')
    .option('-n, --last <count>', 'the number of calls (default: 50, or all with --json)', parseInteger);
  return [
    run(history, exit, async () => (await import('./history.js')).history),
    run(approve, exit, async () => (await import('./approve.js')).approve),
    run(record, exit, async () => (await import('./record.js')).record),
    run(replay, exit, async () => (await import('./record.js')).replay),
    run(skills, exit, async () => (await import('./skills.js')).skills),
    run(ui, exit, async () => (await import('./ui.js')).ui),
    run(reload, exit, async () => (await import('./reload.js')).reload),
    run(logs, exit, async () => (await import('./logs.js')).logs),
    run(top, exit, async () => (await import('./top.js')).top),
  ];
}
