import { EventEmitter, once } from 'node:events';

import type { RpcMessage } from '../testing/json-rpc.js';
import type { JsonObject, Outcome, Seen } from './outcome.js';
import type { Tap } from './wire.js';

const LIST_CHANGED = /^notifications\/\w+\/list_changed$/;

/** Keeps what a client sees, step by step. */
export class Recorder implements Tap {
  private seen: Seen[] = [];
  /** Announcements since the step began. mcpmux joins several into one, so only a step that waits for one shows it. */
  private announced: string[] = [];
  private readonly methods = new Map<unknown, string>();
  private readonly asked = new Map<unknown, string>();
  private readonly changes = new EventEmitter().setMaxListeners(0);

  /** Begins the next step. Responses to what was asked before still count. */
  begin(): void {
    this.seen = [];
    this.announced = [];
  }

  get outcome(): Outcome {
    return [...this.seen];
  }

  add(seen: Seen): void {
    this.seen.push(seen);
    this.changes.emit('change');
  }

  /** Leaves out whatever answers the request with this id. */
  hide(id: unknown): void {
    this.methods.delete(id);
  }

  /** Resolves with the first thing seen in this step that fits. */
  async until(fits: (seen: Seen) => boolean): Promise<Seen> {
    for (;;) {
      const found = this.seen.find(fits);
      if (found !== undefined) return found;
      await once(this.changes, 'change');
    }
  }

  /** Resolves when this was announced in this step, and shows it. */
  async untilAnnounced(method: string): Promise<void> {
    await this.announcement(method);
    this.add({ kind: 'notification', method, params: {} });
  }

  /** Resolves when this was announced in this step. */
  async announcement(method: string): Promise<void> {
    while (!this.announced.includes(method)) await once(this.changes, 'change');
  }

  sent({ id, method }: RpcMessage): void {
    if (id !== undefined && method !== undefined) this.methods.set(id, method);
  }

  received(message: RpcMessage): void {
    const { id, method } = message;
    const params = (message.params ?? {}) as JsonObject;
    if (method === undefined) this.answered(message);
    else if (id !== undefined) {
      this.asked.set(id, method);
      this.add({ kind: 'request', method, params });
    } else if (LIST_CHANGED.test(method)) {
      this.announced.push(method);
      this.changes.emit('change');
    } else this.add({ kind: 'notification', method, params: this.withoutIds(params) });
  }

  unreadable(error: Error): void {
    this.add({ kind: 'sdk error', message: error.message });
  }

  private answered({ id, result, error }: RpcMessage): void {
    const to = this.methods.get(id);
    if (to === undefined) return;
    this.methods.delete(id);
    if (error === undefined) this.add({ kind: 'result', to, result: result as JsonObject });
    else this.add({ kind: 'error', to, error: error as unknown as JsonObject });
  }

  /** A cancellation names the request that it cancels. */
  private withoutIds(params: JsonObject): JsonObject {
    const { requestId } = params;
    return requestId === undefined
      ? params
      : { ...params, requestId: `of ${this.asked.get(requestId) ?? 'nothing'}` };
  }
}
