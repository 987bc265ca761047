import { spawn } from 'node:child_process';
import process from 'node:process';

import { ExitCode } from '../base/exit-code.js';
import { pageOf } from '../live/ask-instance.js';
import type { Announcement } from '../live/announcement.js';
import { processPlaces } from '../live/instance-folder.js';
import { runningInstances } from '../live/instances.js';
import { printResult, type Action, type CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { runningInstance, type InstanceFlags } from './running-instance.js';
import { openBrowser } from './open-browser.js';

/** Flags of `mcpmux ui`. */
export interface UiFlags extends InstanceFlags {
  /** False with `--no-open`. */
  readonly open?: boolean;
  readonly readOnly?: boolean;
  readonly port?: number;
}

/** Opens the page of the running mcpmux. Where none runs, starts one in the foreground. */
export const ui: Action<UiFlags> = async (context, _, flags) => {
  const isNoneRunning = flags.pid === undefined && runningInstances(processPlaces()).length === 0;
  if (isNoneRunning) return startOne(flags);
  const instance = runningInstance(context, flags);
  const url = await linkOf(instance, flags);
  if (flags.open !== false && context.streams.isInteractive) openBrowser(url);
  show(context, instance, url);
  return ExitCode.Ok;
};

function show(context: CommandContext, { pid }: Announcement, url: string): void {
  printResult(
    context,
    { pid, url },
    `${url}\nIt opens once, within two minutes: the page of the mcpmux with pid ${pid}.`,
  );
}

async function linkOf(instance: Announcement, { readOnly = false }: UiFlags): Promise<string> {
  try {
    return await pageOf(instance, readOnly);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError('NO_PAGE', `the mcpmux with pid ${instance.pid} serves no page: ${reason}.`, {
      next: 'restart that mcpmux with this version, or choose another with --pid',
    });
  }
}

/** The mcpmux that is started prints the link itself, and ends with Ctrl-C. */
async function startOne({ config, catalog, projectConfig, port = 0 }: UiFlags): Promise<number> {
  const file = config ?? catalog;
  const args = [
    'serve',
    '--http',
    String(port),
    '--ui',
    ...(file === undefined ? [] : ['--config', file]),
    ...(projectConfig === true ? ['--project-config'] : []),
  ];
  const program = process.argv[1] ?? '';
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' });
  // The terminal sends Ctrl-C to both, and the child ends in order.
  const wait = (): void => undefined;
  process.on('SIGINT', wait);
  process.once('SIGTERM', () => child.kill());
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  process.off('SIGINT', wait);
  return code ?? ExitCode.Failed;
}
