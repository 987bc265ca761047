import { notify } from './output.js';

/** Resources by URI, and their subscriptions. Each resource's text contains a label that identifies the server. */
export class ResourceStore {
  private readonly subscribedUris = new Set<string>();

  constructor(
    private readonly label: string,
    private readonly uris: string[],
  ) {}

  list(): readonly object[] {
    return this.uris.map((uri) => ({
      uri,
      name: uri,
      title: `${this.label} ${uri}`,
      mimeType: 'text/plain',
    }));
  }

  /** True if the URI names a resource, or a path below a resource. */
  has(uri: string): boolean {
    return this.uris.some((one) => uri === one || uri.startsWith(`${one}/`));
  }

  contents(uri: string): object {
    return { uri, mimeType: 'text/plain', text: `${this.label}: ${uri}` };
  }

  add(uri: string): string {
    this.uris.push(uri);
    notify('notifications/resources/list_changed');
    return 'added';
  }

  /** Subscribes to a resource. Returns the result of the request. */
  subscribe(uri: string): object {
    this.subscribedUris.add(uri);
    return {};
  }

  /** Unsubscribes from a resource. Returns the result of the request. */
  unsubscribe(uri: string): object {
    this.subscribedUris.delete(uri);
    return {};
  }

  /** Notifies a client that has subscribed to the resource or to one of its ancestors. */
  touch(uri: string): string {
    const isSubscribed = [...this.subscribedUris].some((one) => uri === one || uri.startsWith(`${one}/`));
    if (isSubscribed) notify('notifications/resources/updated', { uri });
    return isSubscribed ? 'updated' : 'nobody subscribed';
  }

  subscriptions(): readonly string[] {
    return [...this.subscribedUris];
  }
}
