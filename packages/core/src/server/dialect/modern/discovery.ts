import { isRecord } from '@mcpmux/kit';
import { OwnRequestError } from '../../link/own-request.js';
import { MODERN_VERSIONS } from '../revisions.js';
import type { OwnResult, ServerLink } from '../server-dialect.js';
import type { ServerIdentity } from '../server-identity.js';

/** The request that a server of the modern era answers with its description. */
export const DISCOVER = 'server/discover';
const UNSUPPORTED_VERSION = -32_022;

/**
 * Requests a modern server's revision, capabilities, and instructions.
 *
 * @param params the params, including the `_meta` envelope
 * @throws OwnRequestError if the server refuses, times out, or supports none of mcpmux's modern revisions
 */
export async function discover(
  link: Pick<ServerLink, 'request'>,
  params: unknown,
  timeoutMs: number,
): Promise<ServerIdentity> {
  return identityIn(await requestDiscovery(link, params, timeoutMs));
}

async function requestDiscovery(
  link: Pick<ServerLink, 'request'>,
  params: unknown,
  timeoutMs: number,
): Promise<OwnResult> {
  try {
    return await link.request(DISCOVER, params, timeoutMs);
  } catch (error) {
    if (!(error instanceof OwnRequestError) || error.code !== UNSUPPORTED_VERSION) throw error;
    // Some servers refuse the first request but list its version as supported, so mcpmux sends it once more.
    if (!error.message.includes(MODERN_VERSIONS[0])) throw error;
    return link.request(DISCOVER, params, timeoutMs);
  }
}

function identityIn({ line, result }: OwnResult): ServerIdentity {
  const read: unknown = JSON.parse(line.toString('utf8', result.start, result.end));
  const { supportedVersions, capabilities, instructions } = isRecord(read) ? read : {};
  const supported: readonly unknown[] = Array.isArray(supportedVersions) ? supportedVersions : [];
  const protocolVersion = MODERN_VERSIONS.find((known) => supported.includes(known));
  if (protocolVersion === undefined) {
    const versionsText = JSON.stringify(supportedVersions) ?? 'nothing';
    throw new OwnRequestError(
      `supportedVersions is ${versionsText} (known: ${MODERN_VERSIONS.join(', ')})`,
      false,
    );
  }
  return {
    protocolVersion,
    capabilities: isRecord(capabilities) ? capabilities : {},
    instructions: typeof instructions === 'string' ? instructions : undefined,
  };
}
