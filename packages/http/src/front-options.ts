import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Logger } from '@mcpmux/core';

import type { Credentials } from './auth/credentials.js';
import type { ResourceOptions } from './auth/resource-metadata.js';
import type { HostFigure } from './metrics/pages.js';
import type { FrontPeers } from './entrance/front-peers.js';
import type { HttpLimits } from './session/http-limits.js';

/** Pages that a front serves under a path, after checking `Host` and `Origin`. */
export interface MountedPages {
  /** The path without a trailing slash, such as `/ui`. */
  readonly path: string;
  serve(request: IncomingMessage, response: ServerResponse): void;
}

/** A front's address, the clients that it admits, and its limits. */
export interface HttpFrontOptions {
  /** An address of this machine. Defaults to `127.0.0.1`. */
  readonly host?: string;
  /** The port to listen on. If it is 0 or absent, the system chooses a free one. */
  readonly port?: number;
  /** Additional accepted values of the `Host` header, as `name` or `name:port`. */
  readonly allowHosts?: readonly string[];
  /** Additional origins of web pages that may use the front, such as `https://app.example.com`. */
  readonly allowOrigins?: readonly string[];
  /** Maps an `Authorization` header to a principal. If absent, every client is admitted. */
  readonly credentials?: Credentials | undefined;
  /** Admits every client, even if other machines can reach `host`. */
  readonly insecure?: boolean;
  /**
   * Makes this front an OAuth protected resource, and names the authorization servers that issue its tokens (RFC 9728).
   */
  readonly resource?: ResourceOptions | undefined;
  /** If true, a server that a client adds is visible only in that client's session. */
  readonly isolated?: boolean;
  /** If true, the front also serves the 2024-11-05 transport at `/sse`. */
  readonly sse?: boolean;
  /** Additional pages from the host. They authenticate users themselves. */
  readonly mounted?: MountedPages | undefined;
  /** If true, only the additional pages are served, not MCP, health or metrics, and calls are not counted. */
  readonly mountedOnly?: boolean;
  readonly limits?: Partial<HttpLimits>;
  /** The other fronts at the same address. This front forwards requests for their sessions to them. */
  readonly peers?: FrontPeers | undefined;
  /** More metrics for `/metrics`, from the host. */
  readonly figures?: () => readonly HostFigure[];
  readonly logger?: Logger;
  /** Returns false while the host is still registering its servers. `/readyz` then responds with 503. */
  readonly isConfigured?: () => boolean;
}
