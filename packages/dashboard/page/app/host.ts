import type { Json } from '../connection.js';
import { isJson } from '../values.js';

/** The window that shows this page. It is a chat client, or a sandbox in between. */
interface HostWindow {
  postMessage(message: unknown, targetOrigin: string): void;
}

const REVISION = '2026-01-26';

/** The client that shows the page of `list_servers` in a chat (MCP Apps). */
export class AppHost {
  private lastId = 0;
  private readonly waiting = new Map<number, (message: Json) => void>();

  /** @param onResult called with the results of `list_servers` */
  constructor(
    private readonly host: HostWindow,
    private readonly onResult: (result: Json) => void,
  ) {}

  /** Introduces the page. Resolves with true if the client calls tools for the page. */
  async open(): Promise<boolean> {
    addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
      if (source === this.host && isJson(data)) this.received(data);
    });
    const appInfo = { name: 'mcpmux-overview', version: '1' };
    const opened = await this.request('ui/initialize', {
      protocolVersion: REVISION,
      appInfo,
      appCapabilities: { availableDisplayModes: ['inline'] },
    });
    this.themed(opened['hostContext']);
    this.notify('ui/notifications/initialized', {});
    const { hostCapabilities } = opened;
    return isJson(hostCapabilities) && isJson(hostCapabilities['serverTools']);
  }

  /** Calls `list_servers` again. */
  async refresh(): Promise<void> {
    this.onResult(await this.request('tools/call', { name: 'list_servers', arguments: {} }));
  }

  notify(method: string, params: Json): void {
    this.send({ method, params });
  }

  private request(method: string, params: Json): Promise<Json> {
    this.lastId += 1;
    const id = this.lastId;
    this.send({ id, method, params });
    return new Promise((resolve, reject) => {
      this.waiting.set(id, ({ result, error }) => {
        if (isJson(result)) resolve(result);
        else reject(new Error(isJson(error) ? String(error['message']) : 'The client gave no result.'));
      });
    });
  }

  private received(message: Json): void {
    const { id, method, params } = message;
    if (method === undefined) {
      const answered = this.waiting.get(Number(id));
      this.waiting.delete(Number(id));
      return answered?.(message);
    }
    if (method === 'ui/notifications/tool-result' && isJson(params)) this.onResult(params);
    if (method === 'ui/notifications/host-context-changed') this.themed(params);
    if (id !== undefined) this.send({ id, result: {} });
  }

  private themed(context: unknown): void {
    const theme = isJson(context) ? context['theme'] : undefined;
    if (theme === 'light' || theme === 'dark') document.documentElement.style.colorScheme = theme;
  }

  /** Sends a message to any origin, because the origin of the client is unknown and the message contains no secret. */
  private send(message: Json): void {
    this.host.postMessage({ jsonrpc: '2.0', ...message }, '*');
  }
}
