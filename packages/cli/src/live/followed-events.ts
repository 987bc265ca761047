import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { isObject, type JsonObject } from '@mcpmux/clients';
import { requestLine } from '@mcpmux/wire';

import { jsonObject } from '../base/json-object.js';
import { linesOf } from '../base/lines.js';
import type { Announcement } from './announcement.js';
import type { AdminParams } from './admin-methods.js';
import { connectSocket } from './instances.js';
import { ADMIN_PREFIX } from './opening.js';
import { openConnection, responseTo } from './open-connection.js';

/** A connection that ends within this time was refused. */
const REFUSED_WITHIN_MS = 1000;
/** The number of consecutive refused connections after which the instance is treated as ended. */
const MAX_REFUSED = 3;
const AGAIN_AFTER_MS = 100;
const EVENT = `${ADMIN_PREFIX}event`;

/**
 * The events of an instance, until the instance has ended. If a connection breaks, the next connection begins after the
 * last event read. No stored event is lost or repeated.
 */
export class FollowedEvents implements AsyncIterable<JsonObject>, Disposable {
  private isLeft = false;

  private constructor(
    private readonly instance: Announcement,
    private socket: Socket,
    private readonly request: AdminParams<'events'>,
  ) {}

  /**
   * Subscribes to the events from now on.
   *
   * @throws the error of the system if no process listens
   */
  static async open(instance: Announcement, request: AdminParams<'events'> = {}): Promise<FollowedEvents> {
    const socket = await connectSocket(instance);
    await subscribe(socket, request);
    return new FollowedEvents(instance, socket, request);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<JsonObject, undefined> {
    let last: number | undefined;
    let refused = 0;
    for (;;) {
      const begun = performance.now();
      for await (const line of linesOf(this.socket)) {
        if (this.isLeft) return undefined;
        const { method, params: event } = jsonObject(String(line)) ?? {};
        if (method !== EVENT) continue;
        // The connection broke within a line, so the event will be repeated.
        if (!isObject(event)) continue;
        if (typeof event['sequence'] === 'number') last = event['sequence'];
        yield event;
      }
      refused = performance.now() - begun < REFUSED_WITHIN_MS ? refused + 1 : 0;
      if (this.isLeft || refused === MAX_REFUSED || !(await this.isConnectedAgain(last))) return undefined;
    }
  }

  /** The reader stops reading. */
  [Symbol.dispose](): void {
    this.isLeft = true;
    this.socket.destroy();
  }

  private async isConnectedAgain(after: number | undefined): Promise<boolean> {
    await delay(AGAIN_AFTER_MS);
    try {
      this.socket = await connectSocket(this.instance);
      if (this.isLeft) this.socket.destroy();
      await subscribe(this.socket, { ...this.request, ...(after !== undefined && { after }) });
      return true;
    } catch {
      // No process listens on the socket any longer.
      return false;
    }
  }
}

/** Resolves when every later event will follow, or the connection has ended. */
async function subscribe(socket: Socket, request: AdminParams<'events'>): Promise<void> {
  socket.on('error', () => socket.destroy());
  await openConnection(socket, { for: 'administration' });
  await responseTo(socket, requestLine(1, `${ADMIN_PREFIX}events`, request));
}
