import { INITIALIZE, INITIALIZED, isRecord } from '@mcpmux/kit';
import type { LoginProbe } from '@mcpmux/remote';
import { LEGACY_VERSIONS } from '../revisions.js';
import { OwnRequestError } from '../../link/own-request.js';
import type { ClientProfile } from '../client-profile.js';
import type { ServerLink } from '../server-dialect.js';
import type { Implementation, ServerIdentity } from '../server-identity.js';

/**
 * Performs the legacy handshake with one server: sends `initialize`, then `notifications/initialized`.
 *
 * mcpmux sends the client's revision and capabilities, so that the server offers only features that the client
 * supports.
 * @throws OwnRequestError if the server refuses, times out, or answers with an invalid InitializeResult
 */
export async function initialize(
  link: ServerLink,
  clientInfo: Implementation,
  { protocolVersion, capabilities }: ClientProfile,
  timeoutMs: number,
): Promise<ServerIdentity> {
  const params = { protocolVersion, capabilities, clientInfo };
  const { line, result } = await link.request(INITIALIZE, params, timeoutMs);
  const identity = readIdentity(JSON.parse(line.toString('utf8', result.start, result.end)));
  link.notify(INITIALIZED);
  return identity;
}

function readIdentity(result: unknown): ServerIdentity {
  const { protocolVersion, capabilities, instructions } = isRecord(result) ? result : {};
  const version = LEGACY_VERSIONS.find((known) => known === protocolVersion);
  if (version === undefined) {
    const versionProblem =
      protocolVersion === undefined
        ? 'protocolVersion is missing'
        : `protocolVersion ${JSON.stringify(protocolVersion)} is unknown`;
    throw new OwnRequestError(`${versionProblem} (known: ${LEGACY_VERSIONS.join(', ')})`, false);
  }
  return {
    protocolVersion: version,
    capabilities: isRecord(capabilities) ? capabilities : {},
    instructions: typeof instructions === 'string' ? instructions : undefined,
  };
}

/**
 * The messages that show if a server requires a login. Such a server refuses one of them, and its refusal names the
 * authorization server and the scope.
 */
export const LOGIN_PROBE: LoginProbe = {
  opening: {
    jsonrpc: '2.0',
    id: 1,
    method: INITIALIZE,
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'mcpmux', version: '1' } },
  },
  following: [
    { jsonrpc: '2.0', method: INITIALIZED },
    { jsonrpc: '2.0', id: 2, method: 'tools/list' },
  ],
};
