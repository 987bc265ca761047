import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { isObject, type JsonObject } from '@mcpmux/clients';

import { jsonObject } from '../base/json-object.js';
import { linesOf } from '../base/lines.js';
import type { Announcement } from './announcement.js';
import type { HostParams } from './host-methods.js';
import { connectSocket } from './instances.js';
import { HOST_METHODS } from './opening.js';
import { responseTo } from './open-connection.js';

/** A connection that ends within this time was refused. */
const REFUSED_WITHIN_MS = 1000;
/** The number of consecutive refused connections after which the instance counts as ended. */
const MAX_REFUSED = 3;
const AGAIN_AFTER_MS = 100;

/**
 * The events of an instance, until the instance has ended. If a connection breaks, the next connection begins
 * after the last event that was read. No stored event is lost or repeated.
 */
export class FollowedEvents implements AsyncIterable<JsonObject>, Disposable {
  private isLeft = false;

  private constructor(
    private readonly instance: Announcement,
    private socket: Socket,
    private readonly request: HostParams<'events'>,
  ) {}

  /**
   * Subscribes to the events from now on.
   *
   * @throws the error of the system if no process listens
   */
  static async open(instance: Announcement, request: HostParams<'events'> = {}): Promise<FollowedEvents> {
    return new FollowedEvents(instance, await subscribed(instance, request), request);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<JsonObject, undefined> {
    let last: number | undefined;
    let refused = 0;
    for (;;) {
      const begun = performance.now();
      for await (const line of linesOf(this.socket)) {
        if (this.isLeft) return undefined;
        const event = jsonObject(String(line))?.['params'];
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
      const socket = await subscribed(this.instance, {
        ...this.request,
        ...(after !== undefined && { after }),
      });
      if (this.isLeft) socket.destroy();
      this.socket = socket;
      return true;
    } catch {
      // No process listens on the socket any longer.
      return false;
    }
  }
}

async function subscribed(instance: Announcement, request: HostParams<'events'>): Promise<Socket> {
  const socket = await connectSocket(instance);
  socket.on('error', () => socket.destroy());
  const method = `${HOST_METHODS}events`;
  // The response confirms that every later event will follow.
  await responseTo(socket, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: request }));
  return socket;
}
