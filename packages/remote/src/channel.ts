export { RemoteChannel, type RemoteChannelInit } from './remote-channel.js';
