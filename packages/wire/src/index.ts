// Framing and channels
export type { ChannelEnd, ChannelHandler, Channel } from './channel/channel.js';
export { memoryChannels } from './channel/memory-channels.js';
export type { StallClock, StallLimit } from './channel/stall-watch.js';
export type { WriteQueueLimits } from './channel/write-queue.js';
export { PipeError } from './channel/pipe-error.js';
export { type StreamPair, type StreamChannelLimits, StreamChannel } from './channel/stream-channel.js';
export {
  type SdkTransport,
  type TransportChannelLimits,
  TransportChannel,
} from './channel/transport-channel.js';
export { withoutMark, asUtf8, type LineSink, type OversizedLine } from './frame/line-framer.js';
export { Parts } from './frame/parts.js';
export type { BorrowedLine, OwnedLine } from './pipe/borrowed-line.js';
export { takeJoined } from './pipe/joined-line.js';
export { largeReadBuffer, toOwned } from './pipe/read-buffers.js';

// Messages
export { type Message, type ParamSpans, paramText, stringAt } from './message/message.js';
export { hintsOf, MessageReader, readMessage } from './message/message-reader.js';
export type { EnvelopeHints } from './message/envelope-hints.js';
export { MAX_BATCH_MESSAGES, visitBatch, isArray, batchElements } from './message/batch.js';
export { idKey, type RawId, readId, stringId, readIssuedId } from './message/request-id.js';
export {
  ErrorCode,
  type RpcError,
  NULL_ID,
  resultLine,
  resultBytesLine,
  errorLine,
  requestLine,
  notificationLine,
} from './message/json-rpc.js';
export { PendingTable, RenewedSet } from './channel/pending-table.js';

// Values and edits
export { type ElementReader, JsonReader, type MemberReader } from './json/json-reader.js';
export { type KeyNode, keyPaths, findKey, sameBytes } from './json/key-paths.js';
export type { Span } from './json/span.js';
export { EACH, type FoundValue, valuePaths, valueSpans } from './json/value-spans.js';
export {
  type OutgoingLine,
  inOnePiece,
  type UnassembledLine,
  type Edit,
  splice,
  splicedLine,
} from './splice/splice.js';
