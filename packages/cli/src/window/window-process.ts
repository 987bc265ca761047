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
  /** The Node.js executable, its options, and the path of the mcpmux script. */
  readonly program: readonly [command: string, ...args: string[]];
  readonly cwd: string;
  readonly pid: number;
  readonly warn: (text: string) => void;
}

/**
 * Connects a window to the process that serves it: the shared process of all windows with identical settings, or a
 * second process while the first process does not answer.
 */
export class WindowProcess {
  private address: SharedAddress;

  /** @throws Error if the socket path is too long */
  constructor(private readonly parts: WindowProcessParts) {
    this.address = sharedAddress(parts.sharing, parts.context);
  }

  /** The log of the process that the window used last. */
  get logFile(): string {
    return this.address.logFile;
  }

  /** True if the process that the window used last was stopped on purpose. */
  get isStopped(): boolean {
    return existsSync(this.address.stoppedFile);
  }

  /**
   * Connects the window to its process, and starts the process if it is not running.
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
