import { isRecord } from '../../base/is-record.js';
import type { ClientProfile } from '../client-profile.js';
import { withoutDenied, type ClientRequestKind } from '../client-requests.js';
import { ENVELOPE } from '../envelope-keys.js';
import { MODERN_VERSIONS } from '../revisions.js';
import type { Implementation } from '../server-identity.js';

type Capabilities = ClientProfile['capabilities'];

/** The extension that mcpmux does not carry yet: a server must not answer with a task. */
const TASKS = 'io.modelcontextprotocol/tasks';

/** What a server of the modern era is told of a client: what the client declares, without the denied and what mcpmux does not carry. */
export function modernCapabilities(
  profile: ClientProfile,
  denied: readonly ClientRequestKind[] = [],
): Capabilities {
  const { tasks: _, roots, extensions, ...others } = withoutDenied(profile, denied).capabilities;
  return {
    ...others,
    ...(roots !== undefined && { roots: {} }),
    ...(extensions !== undefined && { extensions: withoutTasks(extensions) }),
  };
}

/** The members of `_meta` that describe a client, by key. */
export function envelopeOf(
  clientInfo: Implementation,
  capabilities: Capabilities,
  logLevel?: string,
): Readonly<Record<string, unknown>> {
  return {
    [ENVELOPE.version]: MODERN_VERSIONS[0],
    [ENVELOPE.info]: clientInfo,
    [ENVELOPE.capabilities]: capabilities,
    ...(logLevel !== undefined && { [ENVELOPE.logLevel]: logLevel }),
  };
}

function withoutTasks(extensions: unknown): unknown {
  if (!isRecord(extensions) || !Object.hasOwn(extensions, TASKS)) return extensions;
  const { [TASKS]: _, ...others } = extensions;
  return others;
}
