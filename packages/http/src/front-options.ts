import type { Logger } from '@mcpmux/core';

import type { Credentials } from './auth/credentials.js';
import type { ResourceOptions } from './auth/resource-metadata.js';
import type { HttpLimits } from './session/http-limits.js';

/** Where a front listens, which clients it lets in, and its limits. */
export interface HttpFrontOptions {
  /** An address of this machine; `127.0.0.1` when absent. */
  readonly host?: string;
  /** 0, or absent: any free port. */
  readonly port?: number;
  /** Values of the header `Host` that are served besides the front's own: `name` or `name:port`. */
  readonly allowHosts?: readonly string[];
  /** Web pages that may use the front, such as `https://app.example.com`. */
  readonly allowOrigins?: readonly string[];
  /** Knows the principal behind an `Authorization` header. Absent: every client is let in. */
  readonly credentials?: Credentials | undefined;
  /** Lets every client in although other machines reach `host`. */
  readonly insecure?: boolean;
  /** Where clients get tokens (RFC 9728). */
  readonly resource?: ResourceOptions | undefined;
  /** A server that a client adds belongs to its session alone. */
  readonly isolated?: boolean;
  /** Also serves the transport of 2024-11-05, at `/sse`. */
  readonly sse?: boolean;
  readonly limits?: Partial<HttpLimits>;
  readonly logger?: Logger;
  /** False while `/readyz` is to answer 503: the host is still registering its servers. */
  readonly isConfigured?: () => boolean;
}
