import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { PermissionViolationError, TimeoutError } from '@nats-io/transport-node';
import { ClusterError } from '@mcpmux/cluster';

import { isTooFew } from './copies.js';

const { StreamWrongLastSequence, StreamWrongLastSequenceUnknown } = JetStreamApiCodes;
/** JetStream errors for a key that has another revision. The second error does not name the revision. */
const WRONG_REVISION: ReadonlySet<number> = new Set([
  StreamWrongLastSequence,
  StreamWrongLastSequenceUnknown,
]);
/** Errors for lack of room: of the account, in memory, in files, and a stream that cannot be stored. */
const NO_ROOM: ReadonlySet<number> = new Set([10_002, 10_028, 10_047, 10_077]);
/** The account has its maximum number of streams. JetStream has two errors for this. */
const TOO_MANY_STREAMS: ReadonlySet<number> = new Set([10_026, 10_027]);
/** Errors for a JetStream without a leader. */
const NO_LEADER: ReadonlySet<number> = new Set([10_008, 10_009]);

/** The name of an error that the client does not export. */
const NOT_ENABLED = 'JetStreamNotEnabled';
const NOT_FOR_ACCOUNT =
  'has no JetStream for this account. Enable it in the configuration of NATS (jetstream: enabled), or use another account.';
const NO_JETSTREAM = 'has no JetStream. Start nats-server with -js, or with jetstream in its configuration.';
const MAJORITY =
  'With several NATS servers, JetStream answers while most of them run and reach each other: start those that are down.';

/** True if a client error states that the user lacks a permission, so that a retry does not help. */
export function isForbidden(error: unknown): boolean {
  return violation(error) !== undefined;
}

/**
 * Converts an error of the client to a cluster error, with the cause and the next step.
 *
 * @param where the servers, as error messages name them
 */
export function natsFailure(error: unknown, where: string): ClusterError {
  if (error instanceof ClusterError) return error;
  return error instanceof JetStreamApiError && WRONG_REVISION.has(error.code)
    ? new ClusterError('CONFLICT', 'The key has another revision than the expected one.', { cause: error })
    : new ClusterError('UNAVAILABLE', `NATS at ${where} ${reason(error)}`, { cause: error });
}

/** Returns the rest of a sentence that begins with the servers. */
function reason(error: unknown): string {
  const denied = violation(error);
  if (denied !== undefined) return forbidden(denied);
  if (error instanceof Error && error.name === NOT_ENABLED)
    // An API error means that JetStream runs and is not enabled for this account. A server without JetStream sends no API response.
    return error.cause instanceof JetStreamApiError ? NOT_FOR_ACCOUNT : NO_JETSTREAM;
  if (error instanceof TimeoutError) return `did not answer in time. ${MAJORITY}`;
  return error instanceof JetStreamApiError
    ? ofJetStream(error)
    : `did not do what was asked: ${textOf(error)}.`;
}

function ofJetStream(error: JetStreamApiError): string {
  const { code, message } = error;
  if (isTooFew(error))
    return `has too few servers for the copies of a bucket: ${message}. Start more servers of NATS, or write a lower number in "replicas".`;
  if (NO_ROOM.has(code))
    return `has no room left: ${message}. Free disk space, or raise the limits of JetStream: those of the server (max_file_store) and of the account (max_file).`;
  if (TOO_MANY_STREAMS.has(code))
    return `allows this account no more streams: ${message}. Raise max_streams of the account: a cluster needs one stream for each bucket.`;
  if (NO_LEADER.has(code)) return `has no leader of JetStream: ${message}. ${MAJORITY}`;
  return `did not do what was asked: ${message}.`;
}

function forbidden({ operation, subject }: PermissionViolationError): string {
  const verb = operation === 'publish' ? 'publish to' : 'subscribe to';
  return `does not permit this user to ${verb} ${subject}. Permit it to the user, or use another user.`;
}

/** Finds the permission violation, which the client may wrap in the error of the request. */
function violation(error: unknown): PermissionViolationError | undefined {
  if (error instanceof PermissionViolationError) return error;
  return error instanceof Error && error.cause instanceof PermissionViolationError ? error.cause : undefined;
}

/** Returns the client's message for an error. */
export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
