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
/** The error codes with which a server that does not support `initialize` refuses it. */
const NO_HANDSHAKE_CODES: ReadonlySet<number> = new Set([-32_022, -32_601, -32_602, -32_600]);
const ALL_CAPABILITIES = { tools: {}, prompts: {}, resources: {}, completions: {} };

type OpeningKit = Pick<Kit<'listTimeoutMs'>, 'clock' | 'limits'>;

/**
 * Returns a function that opens a run in an era that its server supports. It sends probes over the run's own
 * connection, not to a second process.
 *
 * @param clientInfo mcpmux's name and version
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

  openLegacy(isProbed = false): Promise<ServerIdentity> {
    const { link, profile, timeLeftMs, onRequest } = this.init;
    onRequest(INITIALIZE, isProbed);
    return initialize(link, this.clientInfo, profile, timeLeftMs());
  }

  /** If the server refuses `server/discover`, opens the run anyway and assumes that the server has all capabilities. */
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

  /** Opens a run beside one of the other era. A refusal shows that the server supports only that other era. */
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
   * Sends the handshake because the server did not answer the probe in time, and waits for both. If the handshake
   * succeeds at most {@link PROBE_TIMEOUT_MS} after an answer to the probe, the run is legacy; otherwise it is modern.
   */
  private async awaitBoth(probe: Promise<ServerIdentity>): Promise<ServerIdentity> {
    const { clock } = this.kit;
    const handshake = this.openLegacy(true);
    const handshakeLimit = probe.then(
      () => waitAtMost(PROBE_TIMEOUT_MS, handshake, clock).catch(() => true),
      // After a refused probe, only the handshake's own timeout applies.
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
      // A server that has already opened the modern era may refuse the handshake even if it supports both eras.
      const hasAnsweredProbe = await isFulfilled(probe);
      const identity = await probe;
      if (!hasAnsweredProbe) this.init.onVerdict('modern');
      return this.beginDialect(identity);
    }
  }

  private discover(limitMs = Infinity): Promise<ServerIdentity> {
    const { link, timeLeftMs } = this.init;
    const identity = this.dialect.discover(link, Math.min(timeLeftMs(), limitMs));
    // If the probe fails after its caller has stopped waiting, the rejection must not count as unhandled.
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

/** True if the server refused the request with a JSON-RPC error or an HTTP status. */
function isRefusal(error: unknown): boolean {
  return error instanceof OwnRequestError && (error.code !== undefined || isHttpRefusal(error));
}

function isHttpRefusal({ failure }: OwnRequestError): boolean {
  return failure?.kind === 'undelivered' && isContentRefusal(failure);
}

/** True for an HTTP status of 500 or above. Some servers fail in this way on requests that they do not expect. */
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
