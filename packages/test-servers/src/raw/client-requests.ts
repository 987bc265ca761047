import type { Message, RequestId } from './message.js';
import { lineOf, write } from './output.js';

interface Open {
  readonly progressToken: unknown;
  readonly lines: string[];
  readonly resolve: (lines: readonly string[]) => void;
}

/** The requests that a server sends to its client, numbered from 0, and every line that comes back for them. */
export class ClientRequests {
  private readonly open = new Map<RequestId, Open>();
  private nextId = 0;

  /** Sends a request. Resolves with its progress and its response, as the lines that came. */
  async send(method: string, params?: unknown): Promise<readonly string[]> {
    const { answered } = this.start(method, params);
    return answered;
  }

  /** Sends a request and tells its id. */
  start(
    method: string,
    params?: unknown,
  ): { readonly id: RequestId; readonly answered: Promise<readonly string[]> } {
    const id = this.nextId++;
    const progressToken = progressTokenOf(params);
    const answered = new Promise<readonly string[]>((resolve) => {
      this.open.set(id, { progressToken, lines: [], resolve });
    });
    write(lineOf({ id, method, params }));
    return { id, answered };
  }

  /** True if the message belongs to one of the requests, which then keeps its line. */
  take({ id, method, params }: Message, line: Buffer): boolean {
    if (method === 'notifications/progress') {
      const { progressToken } = params ?? {};
      const waiting = [...this.open.values()].find((open) => open.progressToken === progressToken);
      waiting?.lines.push(line.toString());
      return true;
    }
    if (method !== undefined || id === undefined) return false;
    const open = this.open.get(id);
    this.open.delete(id);
    open?.resolve([...open.lines, line.toString()]);
    return true;
  }
}

function progressTokenOf(params: unknown): unknown {
  return memberOf(memberOf(params, '_meta'), 'progressToken');
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
