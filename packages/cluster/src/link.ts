import { Duplex } from 'node:stream';

import type { Clock } from '@mcpmux/kit';

import { ClusterError, type Mailbox } from './cluster.js';
import { DATA_HEAD, decodeFrame, encodeFrame, type Frame } from './frames.js';
import { LinkWatch } from './link-watch.js';

/** Maximum number of sent bytes that the reader has not taken. */
const WINDOW_BYTES = 1024 * 1024;
const MAX_CHUNK_BYTES = 256 * 1024;
/** The reason for an end that was closed without an error. */
const CLOSED = 'The other end was closed.';
/** The reason for the ends on a node that leaves the cluster. */
export const NODE_ENDED = 'The node has ended.';

/** The dependencies of a {@link ClusterLink}. */
export interface LinkParts {
  readonly clock: Clock;
  readonly maxMessageBytes: number;
  /** Opens the mailbox of this end. */
  readonly open: (receiver: { message(data: Uint8Array, from: string): void; nobody(): void }) => Mailbox;
  /** Id of the other node, for errors. */
  readonly node: string;
  /** The address of the other end; undefined until the other end has accepted. */
  readonly peer?: string;
}

type Write = { rest: Buffer; readonly done: (error?: Error | null) => void };

/**
 * A stream of bytes to another node, split into messages. The number of bytes that its reader has not taken is limited.
 * A lost message ends the link, so no bytes are missing in the middle.
 */
export class ClusterLink extends Duplex {
  private resolveAccepted: () => void = () => undefined;
  /** Resolves when the other end has accepted. Rejects if it refuses or does not answer. */
  readonly accepted: Promise<void>;
  private readonly mailbox: Mailbox;
  private readonly chunkBytes: number;
  private peer: string | undefined;
  private readonly watch: LinkWatch;
  private sent = { frames: 0, bytes: 0, taken: 0 };
  private got = { frames: 0, bytes: 0, taken: 0, acknowledged: 0 };
  private writing: Write | undefined;
  /** The reason why the other end is gone. */
  private refusal: ClusterError | undefined;
  /** Id of the other node. */
  readonly node: string;

  constructor(private readonly parts: LinkParts) {
    super();
    this.peer = parts.peer;
    this.node = parts.node;
    this.chunkBytes = Math.min(MAX_CHUNK_BYTES, parts.maxMessageBytes - DATA_HEAD);
    const isFirst = parts.peer === undefined;
    this.watch = new LinkWatch(
      parts.clock,
      isFirst,
      () => this.sayAlive(true),
      () => this.gone(),
    );
    this.accepted = new Promise((resolve, reject) => {
      this.resolveAccepted = resolve;
      this.once('close', () => reject(this.errored ?? new ClusterError('CLOSED', 'The link was closed.')));
    });
    // A caller that does not await `accepted` gets the error of the stream.
    this.accepted.catch(() => undefined);
    this.mailbox = parts.open({
      message: (data, from) => this.message(data, from),
      nobody: () => this.refused(new ClusterError('NOBODY', `Node ${parts.node} is not there.`)),
    });
    if (this.peer !== undefined) this.acceptedBy(this.peer);
  }

  /** Sends a frame from this end. */
  post(frame: Frame, to = this.peer): void {
    if (to !== undefined && this.refusal === undefined) this.mailbox.send(to, encodeFrame(frame));
  }

  /** Does nothing. HTTP sets a timeout for idle connections, but the ends of a link check each other already. */
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
    this.writeOn();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.post({ kind: 'end', number: this.nextFrame() });
    done();
  }

  override _read(): void {
    this.taken();
  }

  override read(size?: number): unknown {
    const part: unknown = super.read(size);
    if (this.refusal !== undefined) this.refused(this.refusal);
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
    this.watch.heard();
    switch (frame.kind) {
      case 'accept':
        if (this.peer === undefined) this.acceptedBy(from);
        return;
      case 'refuse':
        return this.refused(new ClusterError(codeOf(frame.reason), frame.reason));
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
    this.writeOn();
  }

  private receive(number: number, bytes: Buffer | null): void {
    if (number !== this.got.frames + 1) return this.lost();
    this.got.frames = number;
    this.got.bytes += bytes?.length ?? 0;
    this.watch.used();
    if (this.push(bytes)) this.taken();
  }

  private peerIsAlive(frames: number, taken: number, asks: boolean): void {
    if (frames !== this.got.frames) return this.lost();
    this.sent.taken = taken;
    if (asks) {
      this.watch.reported();
      this.sayAlive(false);
    }
    this.writeOn();
  }

  /**
   * Ends this link once the bytes that the other end sent earlier have been read, because they may be the last response
   * of a node that ends.
   */
  private refused(reason: ClusterError): void {
    this.refusal ??= reason;
    this.watch.end();
    if (this.readableLength === 0) this.destroy(this.refusal);
  }

  /** Notes that the reader has taken everything that was pushed. */
  private taken(): void {
    this.got.taken = this.got.bytes;
    if (this.got.taken - this.got.acknowledged >= WINDOW_BYTES / 4) this.sayAlive(false);
  }

  private gone(): void {
    this.destroy(new ClusterError('UNAVAILABLE', `Node ${this.parts.node} no longer answers.`));
  }

  private lost(): void {
    this.destroy(
      new ClusterError('UNAVAILABLE', `Messages between this node and ${this.parts.node} were lost.`),
    );
  }

  private writeOn(): void {
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
    this.watch.sent();
    return (this.sent.frames += 1);
  }

  /** Reports that this end is alive, and what it has sent and taken. */
  private sayAlive(asks: boolean): void {
    this.got.acknowledged = this.got.taken;
    this.post({ kind: 'alive', number: this.sent.frames, taken: this.got.taken, asks });
  }
}

function codeOf(reason: string): 'CLOSED' | 'REFUSED' {
  return reason === CLOSED || reason === NODE_ENDED ? 'CLOSED' : 'REFUSED';
}
