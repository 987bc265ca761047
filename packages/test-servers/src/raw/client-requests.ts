import type { Message, RequestId } from './message.js';
import { lineOf, write } from './output.js';

interface OpenRequest {
  readonly progressToken: unknown;
  readonly lines: string[];
  readonly resolve: (lines: readonly string[]) => void;
}

/** Requests from a server to its client, numbered from 0, and the lines received for them. */
export class ClientRequests {
  private readonly openRequests = new Map<RequestId, OpenRequest>();
  private nextId = 0;

  /** Sends a request. Resolves to the received lines: progress notifications and the response. */
  async send(method: string, params?: unknown): Promise<readonly string[]> {
    const { receivedLines } = this.sendWithId(method, params);
    return receivedLines;
  }

  /** Sends a request. Returns its id, and a promise of the received lines: progress notifications and the response. */
  sendWithId(
    method: string,
    params?: unknown,
  ): { readonly id: RequestId; readonly receivedLines: Promise<readonly string[]> } {
    const id = this.nextId++;
    const progressToken = progressTokenOf(params);
    const receivedLines = new Promise<readonly string[]>((resolve) => {
      this.openRequests.set(id, { progressToken, lines: [], resolve });
    });
    write(lineOf({ id, method, params }));
    return { id, receivedLines };
  }

  /** Records the line if it is a progress notification or a response. Otherwise returns false. */
  recordMessage({ id, method, params }: Message, line: Buffer): boolean {
    if (method === 'notifications/progress') {
      const { progressToken } = params ?? {};
      const request = [...this.openRequests.values()].find((open) => open.progressToken === progressToken);
      request?.lines.push(line.toString());
      return true;
    }
    if (method !== undefined || id === undefined) return false;
    const open = this.openRequests.get(id);
    this.openRequests.delete(id);
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
