import { Duplex } from 'node:stream';

import type { Clock } from '@mcpmux/kit';

import { ClusterError, type Mailbox } from './cluster.js';
import { DATA_HEADER_BYTES, decodeFrame, encodeFrame, type Frame } from './frames.js';
import { LinkWatch } from './link-watch.js';

/** The maximum number of sent bytes that the reader has not yet consumed. */
const WINDOW_BYTES = 1024 * 1024;
const MAX_CHUNK_BYTES = 256 * 1024;
/** The reason that an end sends if it is closed without an error. */
const CLOSED = 'The other end was closed.';
/** The reason for closing the links of a node that leaves the cluster. */
export const NODE_ENDED = 'The node has ended.';

/** The dependencies of a {@link ClusterLink}. */
export interface LinkParts {
  readonly clock: Clock;
  readonly maxMessageBytes: number;
  /** Opens the mailbox of this end. */
  readonly open: (receiver: { message(data: Uint8Array, from: string): void; nobody(): void }) => Mailbox;
  /** The id of the other node, for errors. */
  readonly node: string;
  /** The address of the other end. Undefined until the other end has accepted. */
  readonly peer?: string;
}

type PendingWrite = { rest: Buffer; readonly done: (error?: Error | null) => void };

/**
 * A stream of bytes to another node, split into messages. The number of bytes that the reader has not consumed is
 * limited. A lost message ends the link, so bytes are never missing in the middle.
 */
export class ClusterLink extends Duplex {
  private resolveAccepted: () => void = () => undefined;
  /** Resolves when the other end has accepted the link. Rejects if it refuses or does not respond. */
  readonly accepted: Promise<void>;
  private readonly mailbox: Mailbox;
  private readonly chunkBytes: number;
  private peer: string | undefined;
  private readonly watch: LinkWatch;
  private sent = { frames: 0, bytes: 0, taken: 0 };
  private received = { frames: 0, bytes: 0, taken: 0, acknowledged: 0 };
  private writing: PendingWrite | undefined;
  /** The reason why the other end has ended the link. */
  private refusal: ClusterError | undefined;
  /** The id of the other node. */
  readonly node: string;

  constructor(private readonly parts: LinkParts) {
    super();
    this.peer = parts.peer;
    this.node = parts.node;
    this.chunkBytes = Math.min(MAX_CHUNK_BYTES, parts.maxMessageBytes - DATA_HEADER_BYTES);
    const isFirst = parts.peer === undefined;
    this.watch = new LinkWatch(
      parts.clock,
      isFirst,
      () => this.reportAlive(true),
      () => this.peerGone(),
    );
    this.accepted = new Promise((resolve, reject) => {
      this.resolveAccepted = resolve;
      this.once('close', () => reject(this.errored ?? new ClusterError('CLOSED', 'The link was closed.')));
    });
    // A caller that does not await `accepted` gets the error from the stream.
    this.accepted.catch(() => undefined);
    this.mailbox = parts.open({
      message: (data, from) => this.message(data, from),
      nobody: () => this.peerRefused(new ClusterError('NOBODY', `Node ${parts.node} is not there.`)),
    });
    if (this.peer !== undefined) this.acceptedBy(this.peer);
  }

  /** Sends a frame from this end. */
  post(frame: Frame, to = this.peer): void {
    if (to !== undefined && this.refusal === undefined) this.mailbox.send(to, encodeFrame(frame));
  }

  /** Ignores the timeout that HTTP sets for idle connections, because the ends of a link already check each other. */
  setTimeout(): this {
    return this;
  }

  /** Ends the link if the other end does not respond in time. */
  check(withinMs?: number): void {
    this.watch.check(withinMs);
  }

  /** Checks for lost messages at once, because the connection to the cluster has been restored. */
  reconnected(): void {
    this.watch.reconnected();
  }

  override _write(bytes: Buffer, _: string, done: (error?: Error | null) => void): void {
    this.writing = { rest: bytes, done };
    this.continueWriting();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.post({ kind: 'end', number: this.nextFrame() });
    done();
  }

  override _read(): void {
    this.consumedAll();
  }

  override read(size?: number): unknown {
    const part: unknown = super.read(size);
    if (this.refusal !== undefined) this.peerRefused(this.refusal);
    return part;
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.watch.end();
    const isOrderly = error === null && this.readableEnded && this.writableFinished;
    if (!isOrderly) this.post({ kind: 'refuse', reason: error?.message ?? CLOSED });
    this.mailbox.close();
    this.writing?.done(error);
    done(error);
  }

  private message(data: Uint8Array, from: string): void {
    const frame = decodeFrame(data);
    if (frame === undefined || this.destroyed || (this.peer !== undefined && from !== this.peer)) return;
    this.watch.noteReceived();
    switch (frame.kind) {
      case 'accept':
        if (this.peer === undefined) this.acceptedBy(from);
        return;
      case 'refuse':
        return this.peerRefused(new ClusterError(refusalCode(frame.reason), frame.reason));
      case 'data':
        // The data is valid only until this method returns.
        return this.receive(frame.number, Buffer.from(frame.bytes));
      case 'end':
        return this.receive(frame.number, null);
      case 'alive':
        return this.peerIsAlive(frame.number, frame.taken, frame.asks);
      case 'hello':
    }
  }

  private acceptedBy(peer: string): void {
    this.peer = peer;
    this.watch.begin();
    this.resolveAccepted();
    this.continueWriting();
  }

  private receive(number: number, bytes: Buffer | null): void {
    if (number !== this.received.frames + 1) return this.messagesLost();
    this.received.frames = number;
    this.received.bytes += bytes?.length ?? 0;
    this.watch.noteActivity();
    if (this.push(bytes)) this.consumedAll();
  }

  private peerIsAlive(frames: number, taken: number, asks: boolean): void {
    if (frames !== this.received.frames) return this.messagesLost();
    this.sent.taken = taken;
    if (asks) {
      this.watch.noteReported();
      this.reportAlive(false);
    }
    this.continueWriting();
  }

  /** Ends this link when all received bytes have been read, because they may be the last response of an ending node. */
  private peerRefused(reason: ClusterError): void {
    this.refusal ??= reason;
    this.watch.end();
    if (this.readableLength === 0) this.destroy(this.refusal);
  }

  /** Called when the reader has consumed all received bytes. */
  private consumedAll(): void {
    this.received.taken = this.received.bytes;
    if (this.received.taken - this.received.acknowledged >= WINDOW_BYTES / 4) this.reportAlive(false);
  }

  private peerGone(): void {
    this.destroy(new ClusterError('UNAVAILABLE', `Node ${this.parts.node} no longer answers.`));
  }

  private messagesLost(): void {
    this.destroy(
      new ClusterError('UNAVAILABLE', `Messages between this node and ${this.parts.node} were lost.`),
    );
  }

  private continueWriting(): void {
    while (this.writing !== undefined && this.peer !== undefined && !this.destroyed) {
      if (this.sent.bytes - this.sent.taken >= WINDOW_BYTES) return;
      const { rest, done } = this.writing;
      const bytes = rest.subarray(0, this.chunkBytes);
      this.sent.bytes += bytes.length;
      this.post({ kind: 'data', number: this.nextFrame(), bytes });
      this.writing = bytes.length < rest.length ? { rest: rest.subarray(bytes.length), done } : undefined;
      if (this.writing === undefined) done();
    }
  }

  private nextFrame(): number {
    this.watch.noteSent();
    return (this.sent.frames += 1);
  }

  /** Reports that this end is alive, with the number of sent frames and consumed bytes. */
  private reportAlive(asks: boolean): void {
    this.received.acknowledged = this.received.taken;
    this.post({ kind: 'alive', number: this.sent.frames, taken: this.received.taken, asks });
  }
}

function refusalCode(reason: string): 'CLOSED' | 'REFUSED' {
  return reason === CLOSED || reason === NODE_ENDED ? 'CLOSED' : 'REFUSED';
}
