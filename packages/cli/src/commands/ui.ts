import { spawn, type ChildProcess } from 'node:child_process';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

import { messageOf } from '@mcpmux/core';
import { systemProgram } from '@mcpmux/programs';

import { ExitCode } from '../base/exit-code.js';
import { askInstance } from '../live/ask-instance.js';
import type { PageLink } from '../live/admin-methods.js';
import type { Announcement } from '../live/announcement.js';
import { folderContext } from '../live/instance-folder.js';
import { runningInstances } from '../live/instances.js';
import { printResult, printNote, type Action, type CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { instanceWithPid, servesConfigOf, type InstanceFlags } from './running-instance.js';
import { configFlagsText } from '../config/config-choice.js';

/** Flags of `mcpmux ui`. */
export interface UiFlags extends InstanceFlags {
  /** False with `--no-open`, which only prints the link. */
  readonly open?: boolean;
  readonly readOnly?: boolean;
  readonly port?: number;
}

const START_TIMEOUT_MS = 30_000;
const POLL_INTERVAL_MS = 50;

/** Opens the page of the running mcpmux that serves the config, or starts one in the foreground if none does. */
export const ui: Action<UiFlags> = async (context, _, flags) => {
  const instance = flags.pid === undefined ? chooseInstance(context, flags) : instanceWithPid(flags.pid);
  if (instance === undefined) return startInForeground(context, flags);
  await openPage(context, instance, flags);
  return ExitCode.Ok;
};

/**
 * Returns the mcpmux that serves the config. If none does and no flag names a config, returns the only running mcpmux.
 */
function chooseInstance(context: CommandContext, flags: UiFlags): Announcement | undefined {
  const all = runningInstances(folderContext());
  const serving = all.find(servesConfigOf(context, flags));
  const [only, ...others] = all;
  if (serving !== undefined || only === undefined) return serving;
  if (others.length === 0 && configFlagsText(flags) === '') return only;
  printNote(context, 'No running mcpmux serves this config, so one starts. --pid opens the page of another.');
  return undefined;
}

async function openPage(context: CommandContext, instance: Announcement, flags: UiFlags): Promise<void> {
  const { pid } = instance;
  const opensBrowser = flags.open !== false && context.streams.isInteractive;
  const { url, file } = await requestLink(instance, flags, opensBrowser);
  // Except on Windows, other users can read a process's arguments, so the browser gets the link from a file.
  const target = context.platform === 'win32' ? url : file;
  if (opensBrowser && target !== undefined) openBrowser(target);
  const expiryNote = `It opens once, within two minutes: the page of the mcpmux with pid ${pid}.`;
  printResult(context, { pid, url }, `${url}\n${expiryNote}`);
}

/** Limits the wait for a link, because a suspended mcpmux would never respond. */
const LINK_TIMEOUT_MS = 10_000;

async function requestLink(
  instance: Announcement,
  { readOnly: isReadOnly = false }: UiFlags,
  opensBrowser: boolean,
): Promise<PageLink> {
  try {
    const timeoutSignal = AbortSignal.timeout(LINK_TIMEOUT_MS);
    return await askInstance(instance, 'page', { isReadOnly, isOpened: opensBrowser }, timeoutSignal);
  } catch (error) {
    throw new CommandError(
      'NO_PAGE',
      `the mcpmux with pid ${instance.pid} serves no page: ${messageOf(error)}.`,
      {
        next: 'restart that mcpmux with this version, or choose another with --pid',
      },
    );
  }
}

/** Starts an mcpmux, opens its page, and waits until the mcpmux ends. */
async function startInForeground(context: CommandContext, flags: UiFlags): Promise<number> {
  const child = spawn(process.execPath, [process.argv[1] ?? '', ...serveArguments(flags)], {
    stdio: ['inherit', 'ignore', 'inherit'],
  });
  const exitPromise = new Promise<number | null>((resolve) => child.once('exit', resolve));
  // Ctrl-C signals both processes. This one ignores the signal and waits until the child has shut down.
  const ignoreSignal = (): void => undefined;
  process.on('SIGINT', ignoreSignal);
  process.once('SIGTERM', () => child.kill());
  try {
    const instance = await waitForAnnouncement(child, exitPromise);
    if (instance !== undefined) await openPage(context, instance, flags);
    return (await exitPromise) ?? ExitCode.Failed;
  } catch (error) {
    child.kill();
    await exitPromise;
    throw error;
  } finally {
    process.off('SIGINT', ignoreSignal);
  }
}

function serveArguments({ config, catalog, profile, projectConfig, port = 0 }: UiFlags): readonly string[] {
  const file = config ?? catalog;
  return [
    'serve',
    '--http',
    String(port),
    '--ui',
    'none',
    // Without this flag, other users of the machine could use MCP through the page's port.
    '--page-only',
    ...(file === undefined ? [] : ['--config', file]),
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(projectConfig === true ? ['--project-config'] : []),
  ];
}

/**
 * Waits until the started mcpmux announces itself. Resolves to undefined if it ends first.
 * @throws CommandError NOT_RUNNING if it does neither in time
 */
async function waitForAnnouncement(
  { pid }: ChildProcess,
  exitPromise: Promise<unknown>,
): Promise<Announcement | undefined> {
  const until = performance.now() + START_TIMEOUT_MS;
  const ended = exitPromise.then(() => true);
  while (performance.now() < until) {
    const announcement = runningInstances(folderContext()).find((instance) => instance.pid === pid);
    if (announcement !== undefined) return announcement;
    if (await Promise.race([ended, delay(POLL_INTERVAL_MS, false)])) return undefined;
  }
  throw new CommandError('NOT_RUNNING', 'the mcpmux that was started did not announce itself.', {
    next: 'start it by hand: mcpmux serve --http --ui',
  });
}

/** For each platform, the command that opens the file or URL appended to it. Other platforms use `xdg-open`. */
const OPEN_COMMANDS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // Not `start`, because cmd.exe would interpret an ampersand in the URL as the end of the command.
  win32: [systemProgram(process.env, 'rundll32.exe'), 'url.dll,FileProtocolHandler'],
};

/** Opens a file or a URL in the user's browser. Ignores errors, because the link is also printed. */
function openBrowser(target: string): void {
  const [program, ...args] = OPEN_COMMANDS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, target], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
