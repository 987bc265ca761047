import { INITIALIZE, type Kit, waitAtMost } from '@mcpmux/kit';
import { OwnRequestError } from '../../link/own-request.js';
import { isContentRefusal } from '../../link/remote-failure.js';
import { initialize } from '../legacy/handshake.js';
import type { Era } from '../era.js';
import { MODERN_VERSIONS } from '../revisions.js';
import type { OpeningInit, OpenRun } from '../server-dialect.js';
import type { Implementation, ServerIdentity } from '../server-identity.js';
import { DISCOVER } from './discovery.js';
import { ModernRequestHeaders } from './request-headers.js';
import { ModernServerDialect } from './server-dialect.js';

/** How long mcpmux waits for the answer to a probe before it also sends the handshake, in milliseconds. */
const PROBE_TIMEOUT_MS = 5000;
/** The error codes with which servers that do not support the handshake refuse it. */
const NO_HANDSHAKE_CODES: ReadonlySet<number> = new Set([-32_022, -32_601, -32_602, -32_600]);
const ALL_CAPABILITIES = { tools: {}, prompts: {}, resources: {}, completions: {} };

type OpeningKit = Pick<Kit<'listTimeoutMs'>, 'clock' | 'limits'>;

/**
 * Opens runs in an era that their server supports. Probes use the pipe of the run, not a second process.
 *
 * @param clientInfo the name and the version of mcpmux
 */
export function createOpenRun(clientInfo: Implementation, kit: OpeningKit): OpenRun {
  return (init) => {
    const opening = new RunOpening(clientInfo, kit, init);
    if (init.isSecond === true && init.requiredEra !== undefined) return opening.openSecond(init.requiredEra);
    if (init.requiredEra === 'legacy') return opening.openLegacy();
    if (init.requiredEra === 'modern') return opening.openModern();
    return init.firstEra === 'legacy' ? opening.openLegacyFirst() : opening.openModernFirst();
  };
}

/** The opening of one run. */
class RunOpening {
  private readonly dialect: ModernServerDialect;

  constructor(
    private readonly clientInfo: Implementation,
    private readonly kit: OpeningKit,
    private readonly init: OpeningInit,
  ) {
    const headers = init.http && new ModernRequestHeaders(kit.clock);
    if (headers !== undefined) init.http?.headersBy(headers);
    this.dialect = new ModernServerDialect(clientInfo, init.profile, kit.clock, headers);
  }

  /** Tries only the legacy era. */
  openLegacy(isProbed = false): Promise<ServerIdentity> {
    const { link, profile, timeLeftMs, onRequest } = this.init;
    onRequest(INITIALIZE, isProbed);
    return initialize(link, this.clientInfo, profile, timeLeftMs());
  }

  /** Opens the run in the modern era. The server may refuse `server/discover`. */
  async openModern(): Promise<ServerIdentity> {
    this.init.onRequest(DISCOVER, false);
    try {
      return this.beginDialect(await this.discover());
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const [protocolVersion] = MODERN_VERSIONS;
      return this.beginDialect({ protocolVersion, capabilities: ALL_CAPABILITIES, instructions: undefined });
    }
  }

  /** Opens a second run beside a run of the other era. If the server refuses, it supports only the other era. */
  async openSecond(era: Era): Promise<ServerIdentity> {
    const isLegacy = era === 'legacy';
    try {
      if (isLegacy) return await this.openLegacy();
      this.init.onRequest(DISCOVER, false);
      return this.beginDialect(await this.discover(PROBE_TIMEOUT_MS));
    } catch (error) {
      const isVerdict = isLegacy ? mayBeModern(error) : isServerAnswer(error);
      if (isVerdict) this.init.onVerdict(isLegacy ? 'modern' : 'legacy');
      throw error;
    }
  }

  async openLegacyFirst(): Promise<ServerIdentity> {
    try {
      return await this.openLegacy();
    } catch (refusal) {
      if (!mayBeModern(refusal)) throw refusal;
      try {
        const identity = await this.discover(PROBE_TIMEOUT_MS);
        this.init.onVerdict('modern');
        return this.beginDialect(identity);
      } catch {
        throw refusal;
      }
    }
  }

  async openModernFirst(): Promise<ServerIdentity> {
    this.init.onRequest(DISCOVER, true);
    const probe = this.discover();
    try {
      if (await waitAtMost(PROBE_TIMEOUT_MS, probe, this.kit.clock)) return this.beginDialect(await probe);
    } catch (error) {
      const isVerdict = isServerAnswer(error);
      if (!isVerdict && !isServerFailure(error)) throw error;
      const identity = await this.openLegacy();
      if (isVerdict) this.init.onVerdict('legacy');
      return identity;
    }
    return this.awaitBoth(probe);
  }

  /**
   * Sends the handshake because the server did not answer the probe in time, and waits for both. If the handshake ends
   * in time, it determines the era. Otherwise, a late answer to the probe does.
   */
  private async awaitBoth(probe: Promise<ServerIdentity>): Promise<ServerIdentity> {
    const { clock } = this.kit;
    const handshake = this.openLegacy(true);
    const handshakeLimit = probe.then(
      () => waitAtMost(PROBE_TIMEOUT_MS, handshake, clock).catch(() => true),
      // If the server refuses the probe, the handshake has no separate limit.
      () => handshake,
    );
    try {
      await Promise.race([handshake, handshakeLimit]);
      if (!(await isSettled(handshake))) return this.beginDialect(await probe);
      const identity = await handshake;
      if (!(await isFulfilled(probe))) this.init.onVerdict('legacy');
      return identity;
    } catch (error) {
      if (!isServerAnswer(error)) throw error;
      // After its answer to the probe, a slow server that supports both eras is modern and refuses the handshake.
      const hasAnsweredProbe = await isFulfilled(probe);
      const identity = await probe;
      if (!hasAnsweredProbe) this.init.onVerdict('modern');
      return this.beginDialect(identity);
    }
  }

  private discover(limitMs = Infinity): Promise<ServerIdentity> {
    const { link, timeLeftMs } = this.init;
    const identity = this.dialect.discover(link, Math.min(timeLeftMs(), limitMs));
    // The caller handles a failure only while it waits. A later one must not become an unhandled rejection.
    identity.catch(() => undefined);
    return identity;
  }

  private beginDialect(identity: ServerIdentity): ServerIdentity {
    this.dialect.begin(this.init.link, this.kit.limits.listTimeoutMs);
    return identity;
  }
}

/** True if the error shows that the server has answered the request. */
function isServerAnswer(error: unknown): boolean {
  if (!(error instanceof OwnRequestError) || error.timedOut) return false;
  return error.failure === undefined || isHttpRefusal(error);
}

/** True if the server refuses the request itself, with a JSON-RPC error or an HTTP status. */
function isRefusal(error: unknown): boolean {
  return error instanceof OwnRequestError && (error.code !== undefined || isHttpRefusal(error));
}

function isHttpRefusal({ failure }: OwnRequestError): boolean {
  return failure?.kind === 'undelivered' && isContentRefusal(failure);
}

/** True if the request made the server fail. Some servers fail on requests that they do not expect. */
function isServerFailure(error: unknown): boolean {
  const failure = error instanceof OwnRequestError ? error.failure : undefined;
  return failure?.kind === 'undelivered' && (failure.status ?? 0) >= 500;
}

function mayBeModern(error: unknown): boolean {
  if (!(error instanceof OwnRequestError) || !isServerAnswer(error)) return false;
  const { code, message } = error;
  if (isHttpRefusal(error)) return true;
  return code === undefined ? message.includes(MODERN_VERSIONS[0]) : NO_HANDSHAKE_CODES.has(code);
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = {};
  const first: unknown = await Promise.race([promise, Promise.resolve(pending)]);
  return first !== pending;
}

async function isFulfilled(promise: Promise<unknown>): Promise<boolean> {
  return isSettled(promise).catch(() => false);
}
