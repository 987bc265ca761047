import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Logger } from '@mcpmux/core';

import type { Credentials } from './auth/credentials.js';
import type { ResourceOptions } from './auth/resource-metadata.js';
import type { HostFigure } from './metrics/pages.js';
import type { FrontPeers } from './entrance/front-peers.js';
import type { HttpLimits } from './session/http-limits.js';

/** Pages that a front serves below a path, after it has checked Host and Origin. */
export interface MountedPages {
  /** The path without a slash at its end, such as `/ui`. */
  readonly path: string;
  serve(request: IncomingMessage, response: ServerResponse): void;
}

/** The address of a front, the clients it admits, and its limits. */
export interface HttpFrontOptions {
  /** An address of this machine; `127.0.0.1` when absent. */
  readonly host?: string;
  /** The port to listen on. 0, or absent: any free port. */
  readonly port?: number;
  /** Values of the header `Host` that are accepted besides the front's own: `name` or `name:port`. */
  readonly allowHosts?: readonly string[];
  /** Origins of the web pages that may use the front, such as `https://app.example.com`. */
  readonly allowOrigins?: readonly string[];
  /** Maps an `Authorization` header to a principal. Absent: every client is admitted. */
  readonly credentials?: Credentials | undefined;
  /** Admits every client even if other machines can reach `host`. */
  readonly insecure?: boolean;
  /** Where clients get tokens from (RFC 9728). */
  readonly resource?: ResourceOptions | undefined;
  /** A server that a client adds is visible to its session alone. */
  readonly isolated?: boolean;
  /** Also serves the transport of 2024-11-05, at `/sse`. */
  readonly sse?: boolean;
  /** Pages of the host beside MCP, which admit their users themselves. */
  readonly mounted?: MountedPages | undefined;
  /** True: only those pages are served: no MCP, no health and no metrics, for which calls would be counted. */
  readonly mountedOnly?: boolean;
  readonly limits?: Partial<HttpLimits>;
  /** The other fronts of the same address. A request for a session of another front is passed to that front. */
  readonly peers?: FrontPeers | undefined;
  /** Further figures of the host for `/metrics`. */
  readonly figures?: () => readonly HostFigure[];
  readonly logger?: Logger;
  /** False while the host is still registering its servers: `/readyz` then answers 503. */
  readonly isConfigured?: () => boolean;
}
