import type { SdkTransport } from '@mcpmux/wire';
import type { Clock } from '../base/clock.js';
import type { RemoteEndpoint } from './remote-endpoint.js';

/** What goes with one message. */
export interface RemoteSendOptions {
  /** Ends the request and the stream of its answer. */
  readonly requestSignal?: AbortSignal;
  /** The stream of the answer has ended, and there will be no other. */
  readonly onRequestStreamEnd?: () => void;
}

/** What mcpmux needs of a client transport of the official SDK that goes to a url. */
export interface RemoteTransport extends Omit<SdkTransport, 'send'> {
  send(message: object, options?: RemoteSendOptions): Promise<void>;
  setProtocolVersion?(version: string): void;
  terminateSession?(): Promise<void>;
  readonly sessionId?: string | undefined;
}

/** `fetch`, as far as the transports of the SDK use it. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** What a {@link RemoteTransport} is made of. */
export interface RemoteTransportInit extends Pick<
  RemoteEndpoint,
  'url' | 'headers' | 'clientCredentials' | 'login'
> {
  readonly fetch: Fetch;
  /** Times the attempts to open a broken stream again. */
  readonly schedule: Clock['schedule'];
}

/** Makes transports to servers at urls. */
export interface RemoteTransports {
  streamableHttp(init: RemoteTransportInit): RemoteTransport;
  /** HTTP+SSE of the revision 2024-11-05, deprecated since. */
  sse(init: RemoteTransportInit): RemoteTransport;
}

/** Brings {@link RemoteTransports} when the first server at a url starts: programs pay nothing for them before. */
export type LoadRemoteTransports = () => Promise<RemoteTransports>;
