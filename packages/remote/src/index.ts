export { AuthorizationReach } from './authorization-reach.js';
export type { AuthorizationAnswer, DevicePrompt, LoginInit, LoginProbe, ProbeMessage } from './login-init.js';
export type { Login, LoginStore, NeededLogin, SessionLogin } from './login-store.js';
export { broughtLogin } from './brought-login.js';
export { isLocalHost } from './public-address.js';
export {
  type ClientCredentials,
  type IdentityProvider,
  INSTANCE_HEADER,
  remoteEndpoint,
  type RemoteTransportKind,
  type RemoteEndpoint,
} from './remote-endpoint.js';
export { RemoteError, SessionLostError } from './remote-error.js';
export type { CreateRemoteTokens, LoadRemoteTokens, RemoteTokens, Refusal } from './remote-tokens.js';
export type { Headers, HttpRequests, RequestHeaders } from './request-headers.js';
export type { AddressRule } from './public-lookup.js';
export type { Fetch } from './fetch.js';
export type { RemoteSessionComponents } from './remote-session.js';
export type { SessionOpening } from './remote-transport.js';
export type { Flow } from './response-body.js';
