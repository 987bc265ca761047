import { BoundedMap, isRecord } from '@mcpmux/kit';
import { ErrorCode, type ParamSpans, type RpcError, type Span, stringAt } from '@mcpmux/wire';
import { isProtocolLogLevel, type ProtocolLogLevel } from '../caller/log-level.js';
import { listHabitOf, labelOf, type ClientProfile } from '../../server/dialect/client-profile.js';
import { type Principal, isFromOtherNode } from '../../guards/principal.js';
import { CLIENT_META_KEYS, envelopePath } from '../../server/dialect/envelope-keys.js';
import { LEGACY_VERSIONS, MODERN_VERSIONS } from '../../server/dialect/revisions.js';
import type { Era } from '../../server/dialect/era.js';
import { approvedHashIn, principalIn } from './sent-principal.js';
import type { Caller } from '../caller/caller.js';
import type { Upstream } from '../../server/upstream.js';
import { isRunByOtherNode } from '../../server/client-task-id.js';

/** A client's description of itself in a request. */
export interface Envelope {
  readonly profile: ClientProfile;
  /** The least severe level of log messages that the client wants while the request is in flight. */
  readonly logLevel: ProtocolLogLevel | undefined;
  /** The principal that the client claims. The claim is not verified. */
  readonly principal: Principal | undefined;
  /** The era that another node claims for the client behind the request. The claim is not verified. */
  readonly originEra: Era | undefined;
  /** The hash of the tool definition that another node claims was approved. The claim is not verified. */
  readonly approvedDefinitionHash: string | undefined;
}

/** The part of an envelope that clients repeat in each request. */
type ClientDescription = Pick<Envelope, 'profile' | 'principal' | 'originEra' | 'approvedDefinitionHash'>;

interface EnvelopeError {
  readonly error: RpcError;
}

/** The path of the protocol revision in a request. A request that names its revision there is modern. */
export const VERSION_PATH = envelopePath('version');

const CAPABILITIES_PATH = envelopePath('capabilities');
const CLIENT_INFO_PATH = envelopePath('info');
const LOG_LEVEL_PATH = envelopePath('logLevel');
const NO_SPAN: Span = { start: 0, end: 0 };
/** The maximum number of cached profiles; the oldest are evicted. */
const MAX_PROFILES = 64;

/**
 * Reads the envelopes of requests. Clients repeat their envelopes byte for byte, so an envelope is parsed only if it
 * differs from the last one.
 */
export class EnvelopeReader {
  private readonly profiles = new BoundedMap<string, ClientProfile>(MAX_PROFILES);
  /** The bytes of the last envelope, and the description parsed from them. */
  private lastEnvelope: { readonly bytes: Buffer; readonly description: ClientDescription } | undefined;

  /** @param onClient called with the client's name, or undefined if it has none, whenever an envelope is parsed */
  constructor(private readonly onClient: (name: string | undefined) => void = () => undefined) {}

  /** Returns the envelope, or the error to answer an invalid request with. */
  read(line: Buffer, params: ParamSpans): Envelope | EnvelopeError {
    const version = params.get(VERSION_PATH);
    const capabilities = params.get(CAPABILITIES_PATH);
    const info = params.get(CLIENT_INFO_PATH);
    if (version === undefined) return memberError('version', version, 'a string');
    if (capabilities === undefined) return memberError('capabilities', capabilities, 'an object');
    const envelopeSpan = spanAround(version, capabilities, info ?? version);
    const { lastEnvelope } = this;
    if (lastEnvelope !== undefined && bytesMatch(line, envelopeSpan, lastEnvelope.bytes))
      return withLogLevel(line, params, lastEnvelope.description);
    const requestedVersion = stringAt(line, version);
    if (requestedVersion === undefined) return memberError('version', version, 'a string');
    const description = this.descriptionAt(line, capabilities, info);
    if (description === undefined) return memberError('capabilities', capabilities, 'an object');
    if (!MODERN_VERSIONS.some((known) => known === requestedVersion))
      return { error: unsupportedVersionError(requestedVersion) };
    this.lastEnvelope = {
      bytes: Buffer.from(line.subarray(envelopeSpan.start, envelopeSpan.end)),
      description,
    };
    return withLogLevel(line, params, description);
  }

  /** @param info the span of `clientInfo` */
  private descriptionAt(line: Buffer, capabilities: Span, info = NO_SPAN): ClientDescription | undefined {
    const text = line.toString('utf8', capabilities.start, capabilities.end);
    const clientInfo: unknown =
      info === NO_SPAN ? undefined : JSON.parse(line.toString('utf8', info.start, info.end));
    const label = labelOf(clientInfo) ?? '';
    const key = `${label}\n${text}`;
    const profile = this.profiles.get(key) ?? profileOf(text, label, nameIn(clientInfo));
    if (profile === undefined) return undefined;
    this.profiles.set(key, profile);
    this.onClient(profile.name);
    return {
      profile,
      principal: principalIn(clientInfo),
      originEra: eraIn(clientInfo),
      approvedDefinitionHash: approvedHashIn(clientInfo),
    };
  }
}

function withLogLevel(
  line: Buffer,
  params: ParamSpans,
  description: ClientDescription,
): Envelope | EnvelopeError {
  const level = params.get(LOG_LEVEL_PATH);
  if (level === undefined) return { ...description, logLevel: undefined };
  const logLevel = stringAt(line, level);
  return isProtocolLogLevel(logLevel)
    ? { ...description, logLevel }
    : memberError('logLevel', level, 'a log level');
}

function spanAround(a: Span, b: Span, c: Span): Span {
  return { start: Math.min(a.start, b.start, c.start), end: Math.max(a.end, b.end, c.end) };
}

function profileOf(text: string, label: string, name: string | undefined): ClientProfile | undefined {
  const capabilities: unknown = JSON.parse(text);
  if (!isRecord(capabilities)) return undefined;
  const listHabit = listHabitOf(name);
  const nameMembers = { ...(name !== undefined && { name }), ...(label !== '' && { label }) };
  return {
    protocolVersion: LEGACY_VERSIONS[0],
    capabilities,
    ...(listHabit && { listHabit }),
    ...nameMembers,
  };
}

function nameIn(info: unknown): string | undefined {
  return isRecord(info) && typeof info['name'] === 'string' ? info['name'] : undefined;
}

function bytesMatch(line: Buffer, { start, end }: Span, bytes: Buffer): boolean {
  return line.compare(bytes, 0, bytes.length, start, end) === 0;
}

function memberError(
  member: keyof typeof CLIENT_META_KEYS,
  span: Span | undefined,
  expected: string,
): EnvelopeError {
  const key = CLIENT_META_KEYS[member];
  const problem = span === undefined ? 'is missing' : `is not ${expected}`;
  const message = `params._meta[${JSON.stringify(key)}] ${problem}`;
  return { error: { code: ErrorCode.InvalidParams, message, data: { envelope: { key, problem } } } };
}

function unsupportedVersionError(requested: string): RpcError {
  return {
    code: ErrorCode.UnsupportedVersion,
    message: `Unsupported protocol version ${JSON.stringify(requested)}`,
    data: { supported: MODERN_VERSIONS, requested },
  };
}

/**
 * The member of `clientInfo` in which a cluster node names the era of the client behind a request. Requests between
 * nodes are always modern, but a server of both eras can ask more of a legacy client than of a modern client.
 */
const ERA_MEMBER = 'era';

/** Returns the era to report with a legacy client's request; undefined unless another cluster node runs the server. */
export function eraToSend(upstream: Upstream): Era | undefined {
  return isRunByOtherNode(upstream) ? 'legacy' : undefined;
}

/** Returns the `clientInfo` members that report an era; an empty object if `era` is undefined. */
export function eraMembers(era: Era | undefined): object {
  return era === undefined ? {} : { [ERA_MEMBER]: era };
}

/** Returns the era that a `clientInfo` claims. The claim is not verified. */
export function eraIn(info: unknown): Era | undefined {
  const claimedEra = isRecord(info) ? info[ERA_MEMBER] : undefined;
  return claimedEra === 'legacy' ? claimedEra : undefined;
}

/**
 * Returns the era of the client behind a request that another cluster node has forwarded; undefined for other callers.
 */
export function originEraOf(
  caller: Pick<Caller, 'principal' | 'view'>,
  reportedEra: Era | undefined,
): Era | undefined {
  return reportedEra !== undefined && isFromOtherNode(caller) ? reportedEra : undefined;
}
