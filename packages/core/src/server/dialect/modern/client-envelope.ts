import type { ClientProfile } from '../client-profile.js';
import { withoutDenied, type ClientRequestKind } from '../client-requests.js';
import { CLIENT_META_KEYS } from '../envelope-keys.js';
import { MODERN_VERSIONS } from '../revisions.js';
import type { Implementation } from '../server-identity.js';

type Capabilities = ClientProfile['capabilities'];

/** Returns the client capabilities to declare to a modern server: neither denied nor legacy-only ones. */
export function modernCapabilities(
  profile: ClientProfile,
  denied: readonly ClientRequestKind[] = [],
): Capabilities {
  const { tasks: _, roots, ...others } = withoutDenied(profile, denied).capabilities;
  return { ...others, ...(roots !== undefined && { roots: {} }) };
}

/** Returns the members of `_meta` that describe a client, by key. */
export function clientEnvelope(
  clientInfo: Implementation,
  capabilities: Capabilities,
  logLevel?: string,
): Readonly<Record<string, unknown>> {
  return {
    [CLIENT_META_KEYS.version]: MODERN_VERSIONS[0],
    [CLIENT_META_KEYS.info]: clientInfo,
    [CLIENT_META_KEYS.capabilities]: capabilities,
    ...(logLevel !== undefined && { [CLIENT_META_KEYS.logLevel]: logLevel }),
  };
}
