import type { SdkTransport } from '@mcpmux/wire';
import type { Clock } from '../base/clock.js';
import type { RemoteEndpoint } from './remote-endpoint.js';

/** Options of sending one message. */
export interface RemoteSendOptions {
  /** Aborts the request and the stream of its response. */
  readonly requestSignal?: AbortSignal;
  /** Called when the stream of the response has ended and no further stream follows. */
  readonly onRequestStreamEnd?: () => void;
}

/** The part of the official SDK's client transports for urls that mcpmux uses. */
export interface RemoteTransport extends Omit<SdkTransport, 'send'> {
  send(message: object, options?: RemoteSendOptions): Promise<void>;
  setProtocolVersion?(version: string): void;
  terminateSession?(): Promise<void>;
  readonly sessionId?: string | undefined;
}

/** The part of `fetch` that the SDK's transports use. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The parameters of a {@link RemoteTransport}. */
export interface RemoteTransportInit extends Pick<
  RemoteEndpoint,
  'url' | 'headers' | 'clientCredentials' | 'login'
> {
  readonly fetch: Fetch;
  /** Schedules the attempts to reopen a broken stream. */
  readonly schedule: Clock['schedule'];
}

/** Creates transports to remote servers. */
export interface RemoteTransports {
  streamableHttp(init: RemoteTransportInit): RemoteTransport;
  /** HTTP+SSE of the revision 2024-11-05, deprecated since then. */
  sse(init: RemoteTransportInit): RemoteTransport;
}

/** Loads {@link RemoteTransports} when the first remote server starts, so that other programs pay nothing. */
export type LoadRemoteTransports = () => Promise<RemoteTransports>;
