import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { isObject, type JsonObject } from '@mcpmux/clients';
import { requestLine } from '@mcpmux/wire';

import { parseJsonObject } from '../base/json-object.js';
import { linesOf } from '../base/lines.js';
import type { Announcement } from './announcement.js';
import type { AdminParams } from './admin-methods.js';
import { connectSocket } from './instances.js';
import { ADMIN_PREFIX } from './opening.js';
import { sendOpening, sendAndReadLine } from './open-connection.js';

/** A connection that ends within this time, in milliseconds, counts as refused. */
const REFUSED_WITHIN_MS = 1000;
/** The number of consecutive refused connections after which the instance is considered to have ended. */
const MAX_REFUSED = 3;
const RECONNECT_DELAY_MS = 100;
const EVENT_METHOD = `${ADMIN_PREFIX}event`;

/**
 * The events of an instance until the instance ends. When a connection breaks, a new connection continues after the
 * last event read, so that no stored event is lost or repeated.
 */
export class FollowedEvents implements AsyncIterable<JsonObject>, Disposable {
  private isDisposed = false;

  private constructor(
    private readonly instance: Announcement,
    private socket: Socket,
    private readonly request: AdminParams<'events'>,
  ) {}

  /**
   * Subscribes to the events of an instance.
   *
   * @throws a system error if no process is listening
   */
  static async open(instance: Announcement, request: AdminParams<'events'> = {}): Promise<FollowedEvents> {
    const socket = await connectSocket(instance);
    await subscribe(socket, request);
    return new FollowedEvents(instance, socket, request);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<JsonObject, undefined> {
    let lastSequence: number | undefined;
    let refusedCount = 0;
    for (;;) {
      const startTime = performance.now();
      for await (const line of linesOf(this.socket)) {
        if (this.isDisposed) return undefined;
        const { method, params: event } = parseJsonObject(String(line)) ?? {};
        // A broken connection can end with an incomplete line. The next connection repeats its event.
        if (method !== EVENT_METHOD) continue;
        if (!isObject(event)) continue;
        if (typeof event['sequence'] === 'number') lastSequence = event['sequence'];
        yield event;
      }
      refusedCount = performance.now() - startTime < REFUSED_WITHIN_MS ? refusedCount + 1 : 0;
      if (this.isDisposed || refusedCount === MAX_REFUSED || !(await this.reconnect(lastSequence)))
        return undefined;
    }
  }

  [Symbol.dispose](): void {
    this.isDisposed = true;
    this.socket.destroy();
  }

  private async reconnect(after: number | undefined): Promise<boolean> {
    await delay(RECONNECT_DELAY_MS);
    try {
      this.socket = await connectSocket(this.instance);
      if (this.isDisposed) this.socket.destroy();
      await subscribe(this.socket, { ...this.request, ...(after !== undefined && { after }) });
      return true;
    } catch {
      // No process listens on the socket, so the instance has ended.
      return false;
    }
  }
}

/** Resolves when the subscription is active or the connection has ended. */
async function subscribe(socket: Socket, request: AdminParams<'events'>): Promise<void> {
  socket.on('error', () => socket.destroy());
  await sendOpening(socket, { for: 'administration' });
  await sendAndReadLine(socket, requestLine(1, `${ADMIN_PREFIX}events`, request));
}
