import { notify } from './output.js';

/** Resources by URI, and who wants to hear of changes. All share one label, so that it shows whose they are. */
export class ResourceShelf {
  private readonly subscribed = new Set<string>();

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

  /** True if the URI names a resource, or lies below one. */
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

  /** Returns the empty result of the request. */
  subscribe(uri: string): object {
    this.subscribed.add(uri);
    return {};
  }

  /** Returns the empty result of the request. */
  unsubscribe(uri: string): object {
    this.subscribed.delete(uri);
    return {};
  }

  /** Notifies of a change if a client has subscribed to the resource or to one above it. */
  touch(uri: string): string {
    const isHeard = [...this.subscribed].some((one) => uri === one || uri.startsWith(`${one}/`));
    if (isHeard) notify('notifications/resources/updated', { uri });
    return isHeard ? 'updated' : 'nobody subscribed';
  }

  subscriptions(): readonly string[] {
    return [...this.subscribed];
  }
}
