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

/** The state of a window, which is passed on to its next process. */
export interface WindowState {
  /** How many processes have served the window before. */
  readonly epoch: number;
  /** The servers that agents have added, as last reported by a process. */
  readonly added: readonly unknown[];
}

/** The dependencies of a {@link Relay}. */
export interface RelayParts {
  readonly client: StreamPair;
  /** Connects to a shared process. */
  readonly connect: (window: WindowState) => Promise<Socket>;
  /** Returns how long to wait before replacing a failed process, in milliseconds, or undefined to give up. */
  readonly nextPauseMs: () => number | undefined;
  /** Returns true if the process was stopped on purpose. The next process then starts when the client needs it. */
  readonly wasStopped: () => boolean;
}

/** The reason for a relay's end. */
export type RelayEnd = 'client gone' | 'given up';

const MIB = 1024 * 1024;
const LIMITS = {
  maxLineBytes: 64 * MIB,
  maxEndlessLineBytes: 1024 * MIB,
  highWatermarkBytes: MIB,
  borrowsLines: true,
};
const LIST_CHANGES = ['tools', 'prompts', 'resources'].map((list) => `notifications/${list}/list_changed`);

/** Forwards lines between a client and a shared process. When the process ends, continues with another one. */
export class Relay {
  private readonly clientChannel: StreamChannel;
  private readonly clientReader = new MessageReader(keyPaths(['requestId', 'uri']));
  private readonly processReader = new MessageReader(keyPaths(['requestId']));
  private readonly replay = new SessionReplay();
  /** Lines that the client sent while no process was connected. */
  private readonly queuedLines: Buffer[] = [];
  private queuedBytes = 0;
  /** The process that receives new requests. */
  private current: ProcessLink | undefined;
  /** Processes that another process has replaced. They still have to respond to their open requests. */
  private readonly replacedLinks = new Set<ProcessLink>();
  private addedServers: readonly unknown[] = [];
  /** The id of the client's `initialize`, if the process ended without responding to it. */
  private unansweredId: RawId | undefined;
  private isClientGone = false;
  private wake: () => void = () => undefined;
  private handOver: () => void = () => undefined;

  constructor(private readonly parts: RelayParts) {
    this.clientChannel = new StreamChannel(parts.client, LIMITS);
  }

  /**
   * Serves the client until it disconnects. Resolves when all lines have been sent.
   *
   * @throws any error of `connect`
   */
  async run(): Promise<RelayEnd> {
    this.clientChannel.open({
      line: (line) => this.handleClientLine(line),
      oversized: () => this.refuseOversized(),
      drained: () => this.links.forEach((link) => link.resume()),
      ended: ({ reason }) => this.handleClientEnd(reason === 'failed'),
    });
    try {
      for (let epoch = 0; epoch === 0 || (await this.needsNextProcess()); epoch += 1) {
        if ((await this.serve(epoch)) === 'left' || this.isClientGone || this.parts.wasStopped()) continue;
        const pauseMs = this.parts.nextPauseMs();
        if (pauseMs === undefined) return 'given up';
        await setTimeout(pauseMs);
      }
      await Promise.all([...this.replacedLinks].map(({ closed }) => closed));
      return 'client gone';
    } finally {
      this.clientChannel.pause();
      await this.clientChannel.end();
    }
  }

  private get links(): readonly ProcessLink[] {
    return this.current === undefined ? [...this.replacedLinks] : [this.current, ...this.replacedLinks];
  }

  /** Resolves to true if another process is needed. After an intended stop, first waits for a client message. */
  private async needsNextProcess(): Promise<boolean> {
    if (this.parts.wasStopped() && !this.isClientGone && this.queuedLines.length === 0) {
      const whenWoken = new Promise<void>((resolve) => (this.wake = resolve));
      this.clientChannel.resume();
      await whenWoken;
    }
    return !this.isClientGone || this.queuedLines.length > 0;
  }

  /** Serves the client with one process until the connection ends or the process hands over the window. */
  private async serve(epoch: number): Promise<'ended' | 'left'> {
    const socket = await this.parts.connect({ epoch, added: this.addedServers });
    const whenHandedOver = new Promise<'left'>((resolve) => (this.handOver = () => resolve('left')));
    const link = new ProcessLink(socket, LIMITS, {
      line: (line, isWhole) => this.handleProcessLine(line, link, isWhole),
      drained: () => this.clientChannel.resume(),
      ended: () => this.handleProcessEnd(link),
    });
    this.beginSession(link, epoch);
    return Promise.race([whenHandedOver, link.closed.then(() => 'ended' as const)]);
  }

  private beginSession(link: ProcessLink, epoch: number): void {
    this.current = link;
    for (const line of this.replay.openingLines(this.unansweredId !== undefined)) link.send(line);
    if (this.unansweredId !== undefined) link.openRequests.reopen(this.unansweredId);
    this.unansweredId = undefined;
    this.queuedBytes = 0;
    for (const line of this.queuedLines.splice(0)) this.handleClientLine(line);
    // The client must read the lists again, because the next process may have different servers.
    if (epoch > 0 && this.replay.isInitialized)
      for (const method of LIST_CHANGES) this.clientChannel.send(notificationLine(method));
    if (this.isClientGone) link.end();
    else this.clientChannel.resume();
  }

  private handleClientLine(line: Buffer): void {
    const { current } = this;
    const link = current?.openRequests.recordPlainCall(line) === true ? current : this.destinationOf(line);
    if (link === undefined) return;
    link.send(splicedLine(line, []));
    if (link.saturated) this.clientChannel.pause();
  }

  /** Returns the process for a line, or undefined for a line that has been queued or must be dropped. */
  private destinationOf(line: Buffer): ProcessLink | undefined {
    const message = this.clientReader.read(line);
    const link = this.linkFor(line, message);
    if (link === undefined) this.enqueue(line);
    return link !== undefined && this.recordForProcess(line, message, link) ? link : undefined;
  }

  private linkFor(line: Buffer, message: Message): ProcessLink | undefined {
    if (this.replacedLinks.size > 0)
      for (const link of this.replacedLinks) if (link.openRequests.concerns(line, message)) return link;
    return this.current;
  }

  /** Queues a line for the next process. Reads on, up to a limit, because replaced processes may await responses. */
  private enqueue(line: Buffer): void {
    this.queuedLines.push(Buffer.from(line));
    this.queuedBytes += line.length;
    if (this.replacedLinks.size === 0 || this.queuedBytes > LIMITS.highWatermarkBytes)
      this.clientChannel.pause();
    this.wake();
  }

  private recordForProcess(line: Buffer, message: Message, { openRequests }: ProcessLink): boolean {
    this.replay.recordClientMessage(line, message);
    if (message.kind !== 'malformed') return openRequests.recordClientMessage(line, message);
    const elements = isArray(line) ? batchElements(line) : undefined;
    for (const element of elements ?? [])
      openRequests.recordClientMessage(element, this.clientReader.read(element));
    return true;
  }

  private handleProcessLine(line: Buffer, link: ProcessLink, isWhole: boolean): void {
    const isResult = isWhole && link.openRequests.recordPlainResult(line);
    if (!isResult && !this.recordForClient(line, link)) return;
    this.clientChannel.send(splicedLine(line, []));
    if (this.clientChannel.saturated) link.pause();
    if (link !== this.current) this.endIfIdle(link);
  }

  private recordForClient(line: Buffer, link: ProcessLink): boolean {
    const message = this.processReader.read(line);
    if (this.replay.takeRelayAnswer(line, message)) return false;
    if (message.kind !== 'malformed') {
      link.openRequests.recordProcessMessage(line, message);
      return true;
    }
    const elements = batchElements(line);
    // The line is addressed to this relay, or is incomplete because the stream ended.
    if (elements === undefined) this.handleWindowLine(line, link);
    for (const element of elements ?? [])
      link.openRequests.recordProcessMessage(element, this.processReader.read(element));
    return elements !== undefined;
  }

  private handleWindowLine(line: Buffer, link: ProcessLink): void {
    const content = readWindowLine(line);
    if (link !== this.current || content === undefined) return;
    if (content.command === 'added') this.addedServers = content.servers;
    if (content.command !== 'leave') return;
    this.current = undefined;
    this.replacedLinks.add(link);
    this.handOver();
    this.endIfIdle(link);
  }

  private endIfIdle(link: ProcessLink): void {
    if (link.openRequests.isIdle) link.end();
  }

  private handleProcessEnd(link: ProcessLink): void {
    const { initializeId } = this.replay;
    const isCurrent = !this.replacedLinks.delete(link);
    const canRetainInitialize = isCurrent && !this.isClientGone && initializeId !== undefined;
    const resentId = canRetainInitialize && link.openRequests.isOpen(initializeId) ? initializeId : undefined;
    for (const answer of link.openRequests.closeAll(resentId)) this.clientChannel.send(answer);
    if (!isCurrent) return;
    this.unansweredId = resentId;
    this.current = undefined;
    this.clientChannel.pause();
  }

  private refuseOversized(): void {
    const message = `A message must not be longer than ${LIMITS.maxLineBytes} bytes.`;
    this.clientChannel.send(errorLine(NULL_ID, { code: ErrorCode.InvalidRequest, message }));
  }

  private handleClientEnd(isBroken: boolean): void {
    this.isClientGone = true;
    this.wake();
    for (const link of this.links) {
      if (isBroken) link.destroy();
      else link.end();
    }
  }
}
