export { connectNats } from './connect-nats.js';
export type { NatsOptions, NatsTls } from './nats-options.js';
