import { ErrorCode, type ParamSpans, type RpcError, type Span, stringAt } from '@mcpmux/wire';
import { BoundedMap } from '../../base/bounded-map.js';
import { isRecord } from '../../base/is-record.js';
import { isProtocolLogLevel, type ProtocolLogLevel } from '../../downstream/caller/log-level.js';
import { listHabitOf, type ListHabit } from '../client-habits.js';
import type { ClientProfile } from '../client-profile.js';
import { ENVELOPE, envelopePath } from '../envelope-keys.js';
import { LEGACY_VERSIONS, MODERN_VERSIONS } from '../revisions.js';

/** What a request says of its client. */
export interface Envelope {
  readonly profile: ClientProfile;
  /** The log messages that the client wants while the request is in flight. */
  readonly logLevel: ProtocolLogLevel | undefined;
}

/** Where a request names its revision: a request that does is of the modern era. */
export const VERSION_PATH = envelopePath('version');

const CAPABILITIES = envelopePath('capabilities');
const INFO = envelopePath('info');
const LOG_LEVEL = envelopePath('logLevel');
const NOTHING: Span = { start: 0, end: 0 };
/** Capabilities that are remembered; those that came first give way. */
const MAX_PROFILES = 64;

/** Reads the envelopes of requests. Clients repeat theirs byte for byte, so each is parsed once. */
export class EnvelopeReader {
  private readonly profiles = new BoundedMap<string, ClientProfile>(MAX_PROFILES);
  private last:
    { readonly bytes: Buffer; readonly info: Buffer; readonly profile: ClientProfile } | undefined;

  /** The envelope, or the error that answers the request. */
  read(line: Buffer, params: ParamSpans): Envelope | { readonly error: RpcError } {
    const version = params.get(VERSION_PATH);
    const requested = version && stringAt(line, version);
    if (requested === undefined) return wrong('version', version, 'a string');
    const capabilities = params.get(CAPABILITIES);
    const profile = capabilities && this.profileAt(line, capabilities, params.get(INFO));
    if (profile === undefined) return wrong('capabilities', capabilities, 'an object');
    if (!MODERN_VERSIONS.some((known) => known === requested)) return { error: unsupported(requested) };
    const level = params.get(LOG_LEVEL);
    if (level === undefined) return { profile, logLevel: undefined };
    const logLevel = stringAt(line, level);
    return isProtocolLogLevel(logLevel) ? { profile, logLevel } : wrong('logLevel', level, 'a log level');
  }

  /** @param info where the client names itself */
  private profileAt(line: Buffer, capabilities: Span, info: Span | undefined): ClientProfile | undefined {
    const { last } = this;
    if (last !== undefined && isAt(line, capabilities, last.bytes) && isAt(line, info ?? NOTHING, last.info))
      return last.profile;
    const [bytes, name] = [capabilities, info ?? NOTHING].map(({ start, end }) => line.subarray(start, end));
    if (bytes === undefined || name === undefined) return undefined;
    const text = bytes.toString('utf8');
    const habit = habitOf(name);
    const key = `${habit ?? ''}${text}`;
    const profile = this.profiles.get(key) ?? profileOf(text, habit);
    if (profile === undefined) return undefined;
    this.profiles.set(key, profile);
    this.last = { bytes: Buffer.from(bytes), info: Buffer.from(name), profile };
    return profile;
  }
}

/** What a legacy server is told of such a client: what the client declares, in the words of that era. */
export function legacyProfileOf({ capabilities, protocolVersion }: ClientProfile): ClientProfile {
  const { tasks: _, roots, ...others } = capabilities;
  // mcpmux tells the server when it learns the roots of the client, or other ones.
  return {
    protocolVersion,
    capabilities: { ...others, ...(roots !== undefined && { roots: { listChanged: true } }) },
  };
}

function profileOf(text: string, listHabit: ListHabit | undefined): ClientProfile | undefined {
  const capabilities: unknown = JSON.parse(text);
  if (!isRecord(capabilities)) return undefined;
  return { protocolVersion: LEGACY_VERSIONS[0], capabilities, ...(listHabit && { listHabit }) };
}

function habitOf(info: Buffer): ListHabit | undefined {
  const said: unknown = info.length === 0 ? undefined : JSON.parse(info.toString('utf8'));
  const { name } = isRecord(said) ? said : {};
  return typeof name === 'string' ? listHabitOf(name) : undefined;
}

function isAt(line: Buffer, { start, end }: Span, bytes: Buffer): boolean {
  return line.compare(bytes, 0, bytes.length, start, end) === 0;
}

function wrong(
  part: keyof typeof ENVELOPE,
  found: Span | undefined,
  wanted: string,
): { readonly error: RpcError } {
  const key = ENVELOPE[part];
  const problem = found === undefined ? 'is missing' : `is not ${wanted}`;
  const message = `params._meta[${JSON.stringify(key)}] ${problem}`;
  return { error: { code: ErrorCode.InvalidParams, message, data: { envelope: { key, problem } } } };
}

function unsupported(requested: string): RpcError {
  return {
    code: ErrorCode.UnsupportedVersion,
    message: `Unsupported protocol version ${JSON.stringify(requested)}`,
    data: { supported: MODERN_VERSIONS, requested },
  };
}
