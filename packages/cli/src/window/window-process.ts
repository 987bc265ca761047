import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';

import type { WindowState } from '@mcpmux/relay';

import { homeFolder } from '../base/home-folder.js';
import { VERSION } from '../base/version.js';
import type { FolderContext } from '../live/instance-folder.js';
import type { WindowOpening } from '../live/read-opening.js';
import { sharedAddress, type SharedAddress, type SharingKey } from './shared-address.js';
import { connectShared, SharedProcessError, type SharedConnectionOptions } from './shared-process.js';
import { ANSWER_TIMEOUT_MS } from './shared-socket.js';

/** The dependencies of a {@link WindowProcess}. */
export interface WindowProcessParts {
  readonly sharing: SharingKey;
  readonly context: FolderContext;
  /** Node.js, its options, and the command. */
  readonly program: readonly [command: string, ...args: string[]];
  readonly cwd: string;
  readonly pid: number;
  /** Prints a warning for the user. */
  readonly warn: (text: string) => void;
}

/**
 * The process that serves a window. It is the shared process of all windows with identical settings, or a second
 * process while the first process does not answer.
 */
export class WindowProcess {
  private address: SharedAddress;

  /** @throws Error if the path is too long for a socket */
  constructor(private readonly parts: WindowProcessParts) {
    this.address = sharedAddress(parts.sharing, parts.context);
  }

  /** The path of the last process's log. */
  get logFile(): string {
    return this.address.logFile;
  }

  /** True if the last process was stopped on purpose. */
  get isStopped(): boolean {
    return existsSync(this.address.stoppedFile);
  }

  /**
   * Connects a window to its process.
   *
   * @throws SharedProcessError
   */
  async connect(window: WindowState): Promise<Socket> {
    for (const isSecondProcess of [false, true]) {
      this.address = sharedAddress({ ...this.parts.sharing, isSecond: isSecondProcess }, this.parts.context);
      const socket = await connectShared(this.connectionOptions(window));
      if (socket !== 'silent') return socket;
      if (!isSecondProcess) this.parts.warn(`${silentMessage('a')} ${SECOND_PROCESS_NOTE} ${REMEDY}`);
    }
    throw new SharedProcessError(`${silentMessage('another')} ${REMEDY}`);
  }

  private connectionOptions(window: WindowState): SharedConnectionOptions {
    const { address } = this;
    const { sharing, context, program, cwd, pid } = this.parts;
    return {
      address,
      context,
      version: VERSION,
      start: {
        program: [...program, 'serve', '--shared-socket', address.socket, ...sharing.args],
        cwd: sharing.folder ?? homeFolder(),
        environment: sharing.environment,
      },
      createOpening: (version): WindowOpening => ({
        for: 'window',
        cwd,
        pid,
        epoch: window.epoch,
        added: [...window.added],
        ...(version !== undefined && { version }),
      }),
    };
  }
}

const SECOND_PROCESS_NOTE = 'This window uses another one beside it, which starts servers of its own.';
const REMEDY = '"mcpmux restart" ends a shared mcpmux that does not answer.';

function silentMessage(which: string): string {
  return `${which} shared mcpmux runs and has not answered for ${ANSWER_TIMEOUT_MS / 1000} s.`;
}
