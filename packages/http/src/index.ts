export type { HttpFrontOptions } from './front-options.js';
export { createHttpFront, HttpFrontError, type HttpFront } from './http-front.js';
export { DEFAULT_HTTP_LIMITS, type HttpLimits } from './session/http-limits.js';
export type { FrontPeers } from './entrance/front-peers.js';
export { anyOf, type Credentials } from './auth/credentials.js';
export { BearerTokens, type HashedToken } from './auth/bearer-tokens.js';
export { SignedTokens, type JwtOptions } from './auth/signed-tokens.js';
export type { ResourceOptions } from './auth/resource-metadata.js';
export { isLoopback } from './entrance/allowed-hosts.js';
