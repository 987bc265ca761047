import { Duplex } from 'node:stream';

import type { Clock } from '@mcpmux/kit';

import { ClusterError, type Mailbox } from './cluster.js';
import { DATA_HEADER_BYTES, decodeFrame, encodeFrame, type Frame } from './frames.js';
import { LinkWatch } from './link-watch.js';

/** The maximum number of sent bytes that the reader has not yet consumed. */
const WINDOW_BYTES = 1024 * 1024;
const MAX_CHUNK_BYTES = 256 * 1024;
/** The reason sent to the other end when this end is destroyed without an error. */
const END_CLOSED_REASON = 'The other end was closed.';
/** The reason for closing the links of a node that leaves the cluster. */
export const NODE_ENDED_REASON = 'The node has ended.';

/** The dependencies of a {@link ClusterLink}. */
export interface LinkParts {
  readonly clock: Clock;
  readonly maxMessageBytes: number;
  /** Opens the mailbox of this end. */
  readonly open: (receiver: { message(data: Uint8Array, from: string): void; nobody(): void }) => Mailbox;
  /** The id of the other node, for error messages. */
  readonly node: string;
  /** The address of the other end. Undefined until the other end has accepted. */
  readonly peer?: string;
}

type PendingWrite = { rest: Buffer; readonly done: (error?: Error | null) => void };

/**
 * A stream of bytes to another node, split into messages. The sender pauses while the reader has too many bytes to
 * consume. A lost message ends the link, so the stream never has a gap.
 */
export class ClusterLink extends Duplex {
  private resolveAccepted: () => void = () => undefined;
  /** Resolves when the other end has accepted the link. Rejects if it refuses or does not respond. */
  readonly accepted: Promise<void>;
  private readonly mailbox: Mailbox;
  private readonly maxChunkBytes: number;
  private peer: string | undefined;
  private readonly watch: LinkWatch;
  private sentCounts = { frames: 0, bytes: 0, consumedBytes: 0 };
  private receivedCounts = { frames: 0, bytes: 0, consumedBytes: 0, reportedBytes: 0 };
  private pendingWrite: PendingWrite | undefined;
  /** The error with which the link closes once the reader has consumed all received bytes. */
  private endReason: ClusterError | undefined;
  /** The id of the other node. */
  readonly node: string;

  constructor(private readonly parts: LinkParts) {
    super();
    this.peer = parts.peer;
    this.node = parts.node;
    this.maxChunkBytes = Math.min(MAX_CHUNK_BYTES, parts.maxMessageBytes - DATA_HEADER_BYTES);
    const isRequester = parts.peer === undefined;
    this.watch = new LinkWatch(
      parts.clock,
      isRequester,
      () => this.reportAlive(true),
      () => this.destroyUnresponsive(),
    );
    this.accepted = new Promise((resolve, reject) => {
      this.resolveAccepted = resolve;
      this.once('close', () => reject(this.errored ?? new ClusterError('CLOSED', 'The link was closed.')));
    });
    // Prevents an unhandled rejection if a caller does not await `accepted`. The stream emits the same error.
    this.accepted.catch(() => undefined);
    this.mailbox = parts.open({
      message: (data, from) => this.handleMessage(data, from),
      nobody: () => this.endWhenRead(new ClusterError('NOBODY', `Node ${parts.node} is not there.`)),
    });
    if (this.peer !== undefined) this.handleAccept(this.peer);
  }

  /** Sends a frame, unless the other end's address is unknown or the link is ending. */
  post(frame: Frame, to = this.peer): void {
    if (to !== undefined && this.endReason === undefined) this.mailbox.send(to, encodeFrame(frame));
  }

  /** Ignores the timeout that HTTP sets for idle connections, because the ends of a link already check each other. */
  setTimeout(): this {
    return this;
  }

  /** Requests a response from the other end, and ends the link if none arrives in time. */
  check(withinMs?: number): void {
    this.watch.check(withinMs);
  }

  /** Checks for lost messages at once. Must be called when the connection to the cluster has been restored. */
  reconnected(): void {
    this.watch.handleReconnect();
  }

  override _write(bytes: Buffer, _: string, done: (error?: Error | null) => void): void {
    this.pendingWrite = { rest: bytes, done };
    this.continueWriting();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.post({ kind: 'end', number: this.nextFrameNumber() });
    done();
  }

  override _read(): void {
    this.noteAllConsumed();
  }

  override read(size?: number): unknown {
    const chunk: unknown = super.read(size);
    if (this.endReason !== undefined) this.endWhenRead(this.endReason);
    return chunk;
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.watch.end();
    const isOrderly = error === null && this.readableEnded && this.writableFinished;
    if (!isOrderly) this.post({ kind: 'refuse', reason: error?.message ?? END_CLOSED_REASON });
    this.mailbox.close();
    this.pendingWrite?.done(error);
    done(error);
  }

  private handleMessage(data: Uint8Array, from: string): void {
    const frame = decodeFrame(data);
    if (frame === undefined || this.destroyed || (this.peer !== undefined && from !== this.peer)) return;
    this.watch.noteReceived();
    switch (frame.kind) {
      case 'accept':
        if (this.peer === undefined) this.handleAccept(from);
        return;
      case 'refuse':
        return this.endWhenRead(new ClusterError(refusalCode(frame.reason), frame.reason));
      case 'data':
        // Copy the data, because it is valid only until this method returns.
        return this.receiveFrame(frame.number, Buffer.from(frame.bytes));
      case 'end':
        return this.receiveFrame(frame.number, null);
      case 'alive':
        return this.handleAlive(frame.number, frame.consumedBytes, frame.asks);
      case 'hello':
    }
  }

  private handleAccept(peer: string): void {
    this.peer = peer;
    this.watch.begin();
    this.resolveAccepted();
    this.continueWriting();
  }

  private receiveFrame(number: number, bytes: Buffer | null): void {
    if (number !== this.receivedCounts.frames + 1) return this.destroyAfterLoss();
    this.receivedCounts.frames = number;
    this.receivedCounts.bytes += bytes?.length ?? 0;
    this.watch.noteActivity();
    if (this.push(bytes)) this.noteAllConsumed();
  }

  private handleAlive(frames: number, consumedBytes: number, asks: boolean): void {
    if (frames !== this.receivedCounts.frames) return this.destroyAfterLoss();
    this.sentCounts.consumedBytes = consumedBytes;
    if (asks) {
      this.watch.noteReported();
      this.reportAlive(false);
    }
    this.continueWriting();
  }

  /** Ends this link after all received bytes have been read: they may include the last response of a leaving node. */
  private endWhenRead(reason: ClusterError): void {
    this.endReason ??= reason;
    this.watch.end();
    if (this.readableLength === 0) this.destroy(this.endReason);
  }

  private noteAllConsumed(): void {
    this.receivedCounts.consumedBytes = this.receivedCounts.bytes;
    if (this.receivedCounts.consumedBytes - this.receivedCounts.reportedBytes >= WINDOW_BYTES / 4)
      this.reportAlive(false);
  }

  private destroyUnresponsive(): void {
    this.destroy(new ClusterError('UNAVAILABLE', `Node ${this.parts.node} no longer answers.`));
  }

  private destroyAfterLoss(): void {
    this.destroy(
      new ClusterError('UNAVAILABLE', `Messages between this node and ${this.parts.node} were lost.`),
    );
  }

  private continueWriting(): void {
    while (this.pendingWrite !== undefined && this.peer !== undefined && !this.destroyed) {
      if (this.sentCounts.bytes - this.sentCounts.consumedBytes >= WINDOW_BYTES) return;
      const { rest, done } = this.pendingWrite;
      const bytes = rest.subarray(0, this.maxChunkBytes);
      this.sentCounts.bytes += bytes.length;
      this.post({ kind: 'data', number: this.nextFrameNumber(), bytes });
      this.pendingWrite =
        bytes.length < rest.length ? { rest: rest.subarray(bytes.length), done } : undefined;
      if (this.pendingWrite === undefined) done();
    }
  }

  private nextFrameNumber(): number {
    this.watch.noteSent();
    return (this.sentCounts.frames += 1);
  }

  /** Reports that this end is alive, with the number of sent frames and consumed bytes. */
  private reportAlive(asks: boolean): void {
    this.receivedCounts.reportedBytes = this.receivedCounts.consumedBytes;
    this.post({
      kind: 'alive',
      number: this.sentCounts.frames,
      consumedBytes: this.receivedCounts.consumedBytes,
      asks,
    });
  }
}

function refusalCode(reason: string): 'CLOSED' | 'REFUSED' {
  return reason === END_CLOSED_REASON || reason === NODE_ENDED_REASON ? 'CLOSED' : 'REFUSED';
}
