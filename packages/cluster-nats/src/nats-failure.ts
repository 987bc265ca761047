import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { PermissionViolationError, TimeoutError } from '@nats-io/transport-node';
import { ClusterError } from '@mcpmux/cluster';

import { isTooFewServersError } from './copies.js';

const { StreamWrongLastSequence, StreamWrongLastSequenceUnknown } = JetStreamApiCodes;
/** JetStream's error codes for an unexpected revision. Only the first error contains the actual revision. */
const WRONG_REVISION_CODES: ReadonlySet<number> = new Set([
  StreamWrongLastSequence,
  StreamWrongLastSequenceUnknown,
]);
/** JetStream's error codes for an exhausted account, memory or disk limit, and for a failed write to a stream. */
const NO_SPACE_CODES: ReadonlySet<number> = new Set([10_002, 10_028, 10_047, 10_077]);
/** JetStream's error code for a stream that has reached its maximum number of consumers. */
const TOO_MANY_CONSUMERS_CODE = 10_026;
/** JetStream's error code for an account that has reached its maximum number of streams. */
const TOO_MANY_STREAMS_CODE = 10_027;
/** JetStream's error codes for a cluster of NATS servers without a leader. */
const NO_LEADER_CODES: ReadonlySet<number> = new Set([10_008, 10_009]);

/** Compared by name, because the NATS client does not export this error class. */
const NOT_ENABLED_ERROR = 'JetStreamNotEnabled';
const NO_ACCOUNT_JETSTREAM_REASON =
  'has no JetStream for this account. Enable it in the configuration of NATS (jetstream: enabled), or use another account.';
const NO_JETSTREAM_REASON =
  'has no JetStream. Start nats-server with -js, or with jetstream in its configuration.';
const MAJORITY_ADVICE =
  'With several NATS servers, JetStream answers while most of them run and reach each other: start those that are down.';

/** True if a client error reports a permission violation, which a retry cannot resolve. */
export function isForbidden(error: unknown): boolean {
  return findViolation(error) !== undefined;
}

/**
 * Converts an error from the NATS client to a cluster error whose message states the cause and a remedy.
 *
 * @param serverList the servers' URLs without credentials, for error messages
 */
export function natsFailure(error: unknown, serverList: string): ClusterError {
  if (error instanceof ClusterError) return error;
  return error instanceof JetStreamApiError && WRONG_REVISION_CODES.has(error.code)
    ? new ClusterError('CONFLICT', 'The key has another revision than the expected one.', { cause: error })
    : new ClusterError('UNAVAILABLE', `NATS at ${serverList} ${failureReason(error)}`, { cause: error });
}

/** Returns the rest of an error message that begins with "NATS at" and the server list. */
function failureReason(error: unknown): string {
  const violation = findViolation(error);
  if (violation !== undefined) return forbiddenReason(violation);
  if (error instanceof Error && error.name === NOT_ENABLED_ERROR)
    // An API error means that JetStream is disabled for this account. A server without JetStream sends no API response.
    return error.cause instanceof JetStreamApiError ? NO_ACCOUNT_JETSTREAM_REASON : NO_JETSTREAM_REASON;
  if (error instanceof TimeoutError) return `did not answer in time. ${MAJORITY_ADVICE}`;
  return error instanceof JetStreamApiError
    ? jetStreamReason(error)
    : `did not do what was asked: ${clientMessage(error)}.`;
}

function jetStreamReason(error: JetStreamApiError): string {
  const { code, message } = error;
  if (isTooFewServersError(error))
    return `has too few servers for the copies of a bucket: ${message}. Start more servers of NATS, or write a lower number in "replicas".`;
  if (NO_SPACE_CODES.has(code))
    return `has no room left: ${message}. Free disk space, or raise the limits of JetStream: those of the server (max_file_store) and of the account (max_file).`;
  if (code === TOO_MANY_CONSUMERS_CODE)
    return `allows a bucket no more consumers: ${message}. Raise max_consumers of the account: each node watches each bucket with a consumer.`;
  if (code === TOO_MANY_STREAMS_CODE)
    return `allows this account no more streams: ${message}. Raise max_streams of the account: a cluster needs one stream for each bucket.`;
  if (NO_LEADER_CODES.has(code)) return `has no leader of JetStream: ${message}. ${MAJORITY_ADVICE}`;
  return `did not do what was asked: ${message}.`;
}

function forbiddenReason({ operation, subject }: PermissionViolationError): string {
  const verb = operation === 'publish' ? 'publish to' : 'subscribe to';
  return `does not permit this user to ${verb} ${subject}. Permit it to the user, or use another user.`;
}

/** Returns the permission violation, which may be the error itself or its cause. */
function findViolation(error: unknown): PermissionViolationError | undefined {
  if (error instanceof PermissionViolationError) return error;
  return error instanceof Error && error.cause instanceof PermissionViolationError ? error.cause : undefined;
}

/** Returns the message of an error from the NATS client. */
export function clientMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
