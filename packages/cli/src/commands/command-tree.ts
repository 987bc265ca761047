import type { Command } from 'commander';

import { clientCommands } from './client-commands.js';
import { clusterCommand } from './cluster-command.js';
import type { Exit } from './command-builder.js';
import { configCommands } from './config-commands.js';
import { runningCommands } from './running-commands.js';
import { serverCommands } from './server-commands.js';
import { sharedCommands } from './shared-commands.js';
import { useCommands } from './use-commands.js';

/** Returns all commands except `serve`. The code of a command is loaded when it runs. */
export function commands(exit: Exit): readonly Command[] {
  return [
    ...configCommands(exit),
    ...serverCommands(exit),
    ...useCommands(exit),
    ...runningCommands(exit),
    ...sharedCommands(exit),
    clusterCommand(exit),
    ...clientCommands(exit),
  ];
}
