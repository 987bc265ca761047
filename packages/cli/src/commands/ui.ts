import { messageOf } from '@mcpmux/core';

import { ExitCode } from '../base/exit-code.js';
import { pageOf } from '../live/ask-instance.js';
import type { Announcement } from '../live/announcement.js';
import { processPlaces } from '../live/instance-folder.js';
import { runningInstances } from '../live/instances.js';
import { printResult, tell, type Action, type CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { configToRead } from './config-choice.js';
import { openBrowser } from './open-browser.js';
import { runningInstance, type InstanceFlags } from './running-instance.js';
import { runMcpmux } from './started-mcpmux.js';

/** Flags of `mcpmux ui`. */
export interface UiFlags extends InstanceFlags {
  /** False with `--no-open`. */
  readonly open?: boolean;
  readonly readOnly?: boolean;
  readonly port?: number;
}

/** Opens the page of the running mcpmux that serves the config. Where none serves it, starts one in the foreground. */
export const ui: Action<UiFlags> = async (context, _, flags) => {
  const instance = instanceToOpen(context, flags);
  if (instance !== undefined) {
    await openPage(context, instance, flags);
    return ExitCode.Ok;
  }
  return runMcpmux(serveArguments(context, flags), (started) => openPage(context, started, flags));
};

/** Undefined when one has to be started. */
function instanceToOpen(context: CommandContext, flags: UiFlags): Announcement | undefined {
  if (flags.pid !== undefined) return runningInstance(context, flags);
  const all = runningInstances(processPlaces());
  const config = configToRead(context, flags)?.file;
  // A folder without a config wants no config in particular.
  if (config === undefined) return all.length === 0 ? undefined : runningInstance(context, flags);
  const found = all.find((instance) => instance.config === config);
  if (found === undefined && all.length > 0) {
    const others = all.map(
      ({ pid, config: other, cwd }) => `  pid ${pid}: ${other ?? `no config, in ${cwd}`}`,
    );
    const next = 'To open the page of another one: mcpmux ui --pid PID';
    tell(
      context,
      [`No running mcpmux serves ${config}. This command starts one. Running are:`, ...others, next].join(
        '\n',
      ),
    );
  }
  return found;
}

async function openPage(context: CommandContext, instance: Announcement, flags: UiFlags): Promise<void> {
  const url = await linkOf(instance, flags);
  if (flags.open !== false && context.streams.isInteractive) openBrowser(url);
  show(context, instance, url);
}

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
    const reason = messageOf(error);
    throw new CommandError('NO_PAGE', `the mcpmux with pid ${instance.pid} serves no page: ${reason}.`, {
      next: 'restart that mcpmux with this version, or choose another with --pid',
    });
  }
}

/** The started mcpmux prints no link, because this command asks for a link with the wanted rights. */
function serveArguments(context: CommandContext, flags: UiFlags): readonly string[] {
  const { config, catalog, scope, projectConfig, port = 0 } = flags;
  const file = config ?? catalog ?? (scope === 'user' ? configToRead(context, flags)?.file : undefined);
  return [
    'serve',
    '--http',
    String(port),
    '--ui-silent',
    ...(file === undefined ? [] : ['--config', file]),
    ...(projectConfig === true || scope === 'project' ? ['--project-config'] : []),
  ];
}
