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
  type Message,
  type RawId,
  type StreamPair,
} from '@mcpmux/wire';

import { ProcessLink } from './process-link.js';
import { SessionReplay } from './session-replay.js';
import { readWindowLine } from './window-line.js';

/** The state of a window for the next process. */
export interface WindowState {
  /** The number of processes that the window had before. */
  readonly epoch: number;
  /** The servers that agents have added, as the last process reported them. */
  readonly added: readonly unknown[];
}

/** The dependencies of a {@link Relay}. */
export interface RelayParts {
  readonly client: StreamPair;
  /** Connects to a shared process that serves the window. */
  readonly connect: (window: WindowState) => Promise<Socket>;
  /** Returns the pause after an unrequested end, in milliseconds. Undefined if no further process must be started. */
  readonly pause: () => number | undefined;
  /** True if the process was stopped on purpose. The next process is started when the client needs it. */
  readonly isStopped: () => boolean;
}

/** The reason why a relay has ended. */
export type RelayEnd = 'client gone' | 'given up';

const MIB = 1024 * 1024;
const LIMITS = {
  maxLineBytes: 64 * MIB,
  maxEndlessLineBytes: 1024 * MIB,
  highWatermarkBytes: MIB,
  borrowsLines: true,
};
const LISTS = ['tools', 'prompts', 'resources'];

/** Carries lines between a client and a shared process. After the process ends, continues with the next process. */
export class Relay {
  private readonly client: StreamChannel;
  private readonly ofClient = new MessageReader(keyPaths(['requestId', 'uri']));
  private readonly ofProcess = new MessageReader(keyPaths(['requestId']));
  private readonly replay = new SessionReplay();
  /** Lines that the client sent while no process was connected. */
  private readonly waiting: Buffer[] = [];
  private waitingBytes = 0;
  /** The process that gets new requests. */
  private current: ProcessLink | undefined;
  /** Processes from which another process has taken over. They still answer their open requests. */
  private readonly leaving = new Set<ProcessLink>();
  private added: readonly unknown[] = [];
  /** The client's `initialize`, if the process to which it was sent ended without a response. */
  private unanswered: RawId | undefined;
  private isClientGone = false;
  private wakened: () => void = () => undefined;
  private left: () => void = () => undefined;

  constructor(private readonly parts: RelayParts) {
    this.client = new StreamChannel(parts.client, LIMITS);
  }

  /**
   * Serves the client until the client disconnects. Resolves when everything is sent.
   *
   * @throws the error of `connect`
   */
  async run(): Promise<RelayEnd> {
    this.client.open({
      line: (line) => this.fromClient(line),
      oversized: () => this.tooLong(),
      drained: () => this.links.forEach((link) => link.resume()),
      ended: ({ reason }) => this.clientEnded(reason === 'failed'),
    });
    try {
      for (let epoch = 0; epoch === 0 || (await this.isNeeded()); epoch += 1) {
        if ((await this.serve(epoch)) === 'left' || this.isClientGone || this.parts.isStopped()) continue;
        const pause = this.parts.pause();
        if (pause === undefined) return 'given up';
        await setTimeout(pause);
      }
      await Promise.all([...this.leaving].map(({ closed }) => closed));
      return 'client gone';
    } finally {
      this.client.pause();
      await this.client.end();
    }
  }

  private get links(): readonly ProcessLink[] {
    return this.current === undefined ? [...this.leaving] : [this.current, ...this.leaving];
  }

  /** True if another process is needed. After a stop on purpose, waits for the next message of the client. */
  private async isNeeded(): Promise<boolean> {
    if (this.parts.isStopped() && !this.isClientGone && this.waiting.length === 0) {
      const wakened = new Promise<void>((resolve) => (this.wakened = resolve));
      this.client.resume();
      await wakened;
    }
    return !this.isClientGone || this.waiting.length > 0;
  }

  /** Serves the client with one process, until the connection has ended or the process hands the window over. */
  private async serve(epoch: number): Promise<'ended' | 'left'> {
    const socket = await this.parts.connect({ epoch, added: this.added });
    const left = new Promise<'left'>((resolve) => (this.left = () => resolve('left')));
    const link = new ProcessLink(socket, LIMITS, {
      line: (line, isWhole) => this.fromProcess(line, link, isWhole),
      drained: () => this.client.resume(),
      ended: () => this.processEnded(link),
    });
    this.begin(link, epoch);
    return Promise.race([left, link.closed.then(() => 'ended' as const)]);
  }

  private begin(link: ProcessLink, epoch: number): void {
    this.current = link;
    for (const line of this.replay.lines(this.unanswered !== undefined)) link.send(line);
    if (this.unanswered !== undefined) link.requests.reopen(this.unanswered);
    this.unanswered = undefined;
    this.waitingBytes = 0;
    for (const line of this.waiting.splice(0)) this.fromClient(line);
    // The servers of the next process are unknown, so the client must read the lists again.
    if (epoch > 0 && this.replay.isInitialized)
      for (const list of LISTS) this.client.send(notificationLine(`notifications/${list}/list_changed`));
    if (this.isClientGone) link.end();
    else this.client.resume();
  }

  private fromClient(line: Buffer): void {
    const { current } = this;
    const link = current?.requests.called(line) === true ? current : this.destinationOf(line);
    if (link === undefined) return;
    link.send(splicedLine(line, []));
    if (link.saturated) this.client.pause();
  }

  /** Returns the process for a line. Undefined for a line that is not sent on now. */
  private destinationOf(line: Buffer): ProcessLink | undefined {
    const message = this.ofClient.read(line);
    const link = this.linkFor(line, message);
    if (link === undefined) this.hold(line);
    return link !== undefined && this.isForProcess(line, message, link) ? link : undefined;
  }

  private linkFor(line: Buffer, message: Message): ProcessLink | undefined {
    if (this.leaving.size > 0)
      for (const link of this.leaving) if (link.requests.concerns(line, message)) return link;
    return this.current;
  }

  /**
   * Keeps a line for the next process. Responses to a leaving process may follow, so the relay continues to read until
   * the limit.
   */
  private hold(line: Buffer): void {
    this.waiting.push(Buffer.from(line));
    this.waitingBytes += line.length;
    if (this.leaving.size === 0 || this.waitingBytes > LIMITS.highWatermarkBytes) this.client.pause();
    this.wakened();
  }

  private isForProcess(line: Buffer, message: Message, { requests }: ProcessLink): boolean {
    this.replay.sent(line, message);
    if (message.kind !== 'malformed') return requests.sent(line, message);
    const elements = isArray(line) ? batchElements(line) : undefined;
    for (const element of elements ?? []) requests.sent(element, this.ofClient.read(element));
    return true;
  }

  private fromProcess(line: Buffer, link: ProcessLink, isWhole: boolean): void {
    const isResult = isWhole && link.requests.returned(line);
    if (!isResult && !this.isForClient(line, link)) return;
    this.client.send(splicedLine(line, []));
    if (this.client.saturated) link.pause();
    if (link !== this.current) this.endIfIdle(link);
  }

  private isForClient(line: Buffer, link: ProcessLink): boolean {
    const message = this.ofProcess.read(line);
    if (this.replay.isOwnAnswer(line, message)) return false;
    if (message.kind !== 'malformed') {
      link.requests.received(line, message);
      return true;
    }
    const elements = batchElements(line);
    // A line for this relay, or the rest of a line whose writer has ended.
    if (elements === undefined) this.reported(line, link);
    for (const element of elements ?? []) link.requests.received(element, this.ofProcess.read(element));
    return elements !== undefined;
  }

  private reported(line: Buffer, link: ProcessLink): void {
    const said = readWindowLine(line);
    if (link !== this.current || said === undefined) return;
    if (said.command === 'added') this.added = said.servers;
    if (said.command !== 'leave') return;
    this.current = undefined;
    this.leaving.add(link);
    this.left();
    this.endIfIdle(link);
  }

  private endIfIdle(link: ProcessLink): void {
    if (link.requests.isIdle) link.end();
  }

  private processEnded(link: ProcessLink): void {
    const { initializeId } = this.replay;
    const isCurrent = !this.leaving.delete(link);
    const isRetained = isCurrent && !this.isClientGone && initializeId !== undefined;
    const retained = isRetained && link.requests.isOpen(initializeId) ? initializeId : undefined;
    for (const answer of link.requests.processEnded(retained)) this.client.send(answer);
    if (!isCurrent) return;
    this.unanswered = retained;
    this.current = undefined;
    this.client.pause();
  }

  private tooLong(): void {
    const message = `A message must not be longer than ${LIMITS.maxLineBytes} bytes.`;
    this.client.send(errorLine(NULL_ID, { code: ErrorCode.InvalidRequest, message }));
  }

  private clientEnded(isBroken: boolean): void {
    this.isClientGone = true;
    this.wakened();
    for (const link of this.links) {
      if (isBroken) link.destroy();
      else link.end();
    }
  }
}
