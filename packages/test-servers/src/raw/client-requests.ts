import type { Message, RequestId } from './message.js';
import { lineOf, write } from './output.js';

interface OpenRequest {
  readonly progressToken: unknown;
  readonly lines: string[];
  readonly resolve: (lines: readonly string[]) => void;
}

/** The requests that a server sends to its client, numbered from 0, and the lines received for them. */
export class ClientRequests {
  private readonly open = new Map<RequestId, OpenRequest>();
  private nextId = 0;

  /** Sends a request. Resolves to its progress and its response, as received lines. */
  async send(method: string, params?: unknown): Promise<readonly string[]> {
    const { answered } = this.start(method, params);
    return answered;
  }

  /** Sends a request. Returns its id, and a promise of its progress and its response, as received lines. */
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

  /** Records the line of a message that belongs to one of the requests. Returns false for any other message. */
  take({ id, method, params }: Message, line: Buffer): boolean {
    if (method === 'notifications/progress') {
      const { progressToken } = params ?? {};
      const request = [...this.open.values()].find((open) => open.progressToken === progressToken);
      request?.lines.push(line.toString());
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
