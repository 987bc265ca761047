import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import {
  batchElements,
  errorLine,
  ErrorCode,
  isArray,
  keyPaths,
  MessageReader,
  notificationLine,
  NULL_ID,
  splicedLine,
  StreamChannel,
  type StreamPair,
} from '@mcpmux/wire';

import { OpenRequests } from './open-requests.js';
import { SessionReplay } from './session-replay.js';

/** The dependencies of a {@link Relay}. */
export interface RelayParts {
  readonly client: StreamPair;
  /** Connects to the shared process. */
  readonly connect: () => Promise<Socket>;
  /** The first line of a connection, without its line end. @param epoch 0 for the first process */
  readonly preamble: (epoch: number) => string;
  /** The pause after an end that nobody asked for, in milliseconds; undefined when no process is to be started any more. */
  readonly pause: () => number | undefined;
  /** Whether the process was stopped on purpose: it is started again when the client needs it. */
  readonly isStopped: () => boolean;
}

/** Why a relay has ended. */
export type RelayEnd = 'client gone' | 'given up';

const MIB = 1024 * 1024;
const LIMITS = {
  maxLineBytes: 64 * MIB,
  maxEndlessLineBytes: 1024 * MIB,
  highWatermarkBytes: MIB,
  borrowsLines: true,
};
const LISTS = ['tools', 'prompts', 'resources'];

/** Carries lines between a client and the shared process, and between the client and the next process after that. */
export class Relay {
  private readonly client: StreamChannel;
  private readonly ofClient = new MessageReader(keyPaths(['requestId', 'uri']));
  private readonly ofProcess = new MessageReader(keyPaths(['requestId']));
  private readonly requests = new OpenRequests();
  private readonly replay = new SessionReplay();
  /** Lines of the client that came while no process was connected. Its input is paused meanwhile. */
  private readonly waiting: Buffer[] = [];
  private process: StreamChannel | undefined;
  private isClientGone = false;
  private wakened: () => void = () => undefined;

  constructor(private readonly parts: RelayParts) {
    this.client = new StreamChannel(parts.client, LIMITS);
  }

  /**
   * Serves the client until it is gone. Resolves when everything is sent.
   *
   * @throws the error of `connect`
   */
  async run(): Promise<RelayEnd> {
    this.client.open({
      line: (line) => this.fromClient(line),
      oversized: () => this.tooLong(),
      drained: () => this.process?.resume(),
      ended: ({ reason }) => this.clientEnded(reason === 'failed'),
    });
    try {
      for (let epoch = 0; epoch === 0 || (await this.isNeeded()); epoch += 1) {
        const socket = await this.parts.connect();
        await this.serve(socket, epoch);
        this.processEnded();
        if (this.isClientGone || this.parts.isStopped()) continue;
        const pause = this.parts.pause();
        if (pause === undefined) return 'given up';
        await setTimeout(pause);
      }
      return 'client gone';
    } finally {
      this.client.pause();
      await this.client.end();
    }
  }

  /** Whether another process is needed: after a stop on purpose, as soon as the client says something. */
  private async isNeeded(): Promise<boolean> {
    if (this.parts.isStopped() && !this.isClientGone && this.waiting.length === 0) {
      const wakened = new Promise<void>((resolve) => (this.wakened = resolve));
      this.client.resume();
      await wakened;
    }
    return !this.isClientGone || this.waiting.length > 0;
  }

  /** Resolves when the connection is over. */
  private serve(socket: Socket, epoch: number): Promise<void> {
    const process = new StreamChannel({ input: socket, output: socket }, LIMITS);
    return new Promise((resolve) => {
      process.open({
        line: (line) => this.fromProcess(line),
        oversized: () => process.destroy(),
        drained: () => this.client.resume(),
        ended: () => {
          process.destroy();
          resolve();
        },
      });
      this.begin(process, epoch);
    });
  }

  private begin(process: StreamChannel, epoch: number): void {
    const { initializeId } = this.replay;
    const isOpen = initializeId !== undefined && this.requests.isOpen(initializeId);
    this.process = process;
    process.send(Buffer.from(`${this.parts.preamble(epoch)}\n`));
    for (const line of this.replay.lines(isOpen)) process.send(line);
    for (const line of this.waiting.splice(0)) this.fromClient(line);
    // Which servers the next process has, is not known: those that the client had added are gone.
    if (epoch > 0 && this.replay.isInitialized)
      for (const list of LISTS) this.client.send(notificationLine(`notifications/${list}/list_changed`));
    if (this.isClientGone) void process.end();
    else this.client.resume();
  }

  private fromClient(line: Buffer): void {
    const { process } = this;
    if (process === undefined) {
      this.waiting.push(Buffer.from(line));
      this.client.pause();
      return this.wakened();
    }
    if (!this.isForProcess(line)) return;
    process.send(splicedLine(line, []));
    if (process.saturated) this.client.pause();
  }

  private isForProcess(line: Buffer): boolean {
    const message = this.ofClient.read(line);
    this.replay.sent(line, message);
    if (message.kind !== 'malformed') return this.requests.sent(line, message);
    const elements = isArray(line) ? batchElements(line) : undefined;
    for (const element of elements ?? []) this.requests.sent(element, this.ofClient.read(element));
    return true;
  }

  private fromProcess(line: Buffer): void {
    const message = this.ofProcess.read(line);
    if (this.replay.isOwnAnswer(line, message)) return;
    if (message.kind === 'malformed') {
      const elements = batchElements(line);
      // The rest of a line whose writer has ended.
      if (elements === undefined) return;
      for (const element of elements) this.requests.received(element, this.ofProcess.read(element));
    } else this.requests.received(line, message);
    this.client.send(splicedLine(line, []));
    if (this.client.saturated) this.process?.pause();
  }

  private processEnded(): void {
    const { initializeId } = this.replay;
    this.process = undefined;
    this.client.pause();
    const retained = this.isClientGone ? undefined : initializeId;
    for (const line of this.requests.processEnded(retained)) this.client.send(line);
  }

  private tooLong(): void {
    const message = `A message must not be longer than ${LIMITS.maxLineBytes} bytes.`;
    this.client.send(errorLine(NULL_ID, { code: ErrorCode.InvalidRequest, message }));
  }

  private clientEnded(isBroken: boolean): void {
    this.isClientGone = true;
    this.wakened();
    if (isBroken) this.process?.destroy();
    else void this.process?.end();
  }
}
