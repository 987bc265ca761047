import { BoundedMap } from '@mcpmux/kit';
import type { Caller } from '../caller/caller.js';
import type { Principal } from '../../guards/principal.js';
import type { Upstream } from '../../server/upstream.js';
import { NO_CLIENT, type ClientProfile } from '../../server/dialect/client-profile.js';
import type { Era } from '../../server/dialect/era.js';
import type { ClientRequestKind } from '../../server/dialect/client-requests.js';
import type { Implementation } from '../../server/dialect/server-identity.js';
import { envelopeOf, modernCapabilities } from '../../server/dialect/modern/client-envelope.js';
import { eraMembers, sentEra } from '../modern/envelope.js';
import { approvedMembers, principalMembers, sentPrincipal } from '../modern/sent-principal.js';
import { withoutTasks, withTasks } from '../../server/dialect/tasks-extension.js';
import type { CrossedServer } from '../request/crossing.js';
import { ClientDescription } from './client-description.js';
import type { RoundParts } from './input-questions.js';

/** A server of the modern era, with the dependencies of its bridge. */
export interface BridgedServer extends CrossedServer {
  readonly envelopes: ClientEnvelopes;
  readonly parts: RoundParts;
}

/** The functions that return the capabilities for a server: unchanged, or with or without the extension for tasks. */
const TASKS_DECLARED = {
  declared: (capabilities: ClientProfile['capabilities']) => capabilities,
  with: withTasks,
  without: withoutTasks,
};

/** The parts of a description that depend on the request or the server. */
interface RequestTraits {
  /** The kinds of request that the server may not send to the client. */
  readonly denied?: readonly ClientRequestKind[] | undefined;
  readonly tasks?: keyof typeof TASKS_DECLARED;
  readonly logLevel?: string | undefined;
  /** The principal of the request, if the server needs it. */
  readonly principal?: Principal | undefined;
  /** The era of the client, if the server needs it. */
  readonly era?: Era | undefined;
  /** The hash of the approved definition, if the server needs it. */
  readonly approved?: string | undefined;
}

/** The maximum number of cached descriptions for one client. A client with many principals has one for each. */
const MAX_DESCRIPTIONS = 256;

/** The descriptions of clients in requests to servers of the modern era. */
export class ClientEnvelopes {
  /** The descriptions by client, then by the traits of the request. */
  private readonly known = new WeakMap<ClientProfile, BoundedMap<string, ClientDescription>>();

  constructor(private readonly clientInfo: Implementation) {}

  /** Returns the description for a request from a legacy client. */
  forLegacy(
    { profile = NO_CLIENT, logLevel, principal }: Caller,
    upstream: Upstream,
    tasks: 'with' | 'without',
    approved?: string,
  ): ClientDescription {
    const { config, identity } = upstream;
    const isLogging = logLevel !== undefined && identity?.capabilities['logging'] !== undefined;
    const level = isLogging ? logLevel : undefined;
    return this.get(profile, {
      denied: config.denyRequests,
      tasks,
      logLevel: level,
      principal: sentPrincipal(principal, upstream),
      era: sentEra(upstream),
      approved,
    });
  }

  /** Returns the description for a request that describes its client. */
  forModern(
    { profile = NO_CLIENT, principal }: Caller,
    upstream: Upstream,
    tasks: keyof typeof TASKS_DECLARED = 'declared',
    approved?: string,
  ): ClientDescription {
    const { denyRequests: denied } = upstream.config;
    return this.get(profile, { denied, tasks, principal: sentPrincipal(principal, upstream), approved });
  }

  /** Returns the cached or new description of a client. */
  get(profile: ClientProfile, traits: RequestTraits): ClientDescription {
    const { denied = [], tasks = 'declared', ...others } = traits;
    const { logLevel, principal, era, approved } = others;
    const isPlain = denied.length === 0 && Object.values(others).every((trait) => trait === undefined);
    const principalKey = principal && JSON.stringify(principalMembers(principal));
    const key = isPlain ? tasks : [tasks, logLevel, era, approved, principalKey, ...denied].join();
    let descriptions = this.known.get(profile);
    if (descriptions === undefined)
      this.known.set(profile, (descriptions = new BoundedMap(MAX_DESCRIPTIONS)));
    const known = descriptions.get(key);
    if (known !== undefined) return known;
    const description = this.describe(profile, traits);
    descriptions.set(key, description);
    return description;
  }

  private describe(
    profile: ClientProfile,
    { denied, tasks = 'declared', logLevel, principal, era, approved }: RequestTraits,
  ): ClientDescription {
    const capabilities = TASKS_DECLARED[tasks](modernCapabilities(profile, denied));
    const clientInfo = {
      ...this.clientInfo,
      ...principalMembers(principal),
      ...eraMembers(era),
      ...approvedMembers(approved),
    };
    const envelope = Object.entries(envelopeOf(clientInfo, capabilities, logLevel));
    const members = Object.fromEntries(envelope.map(([name, value]) => [name, JSON.stringify(value)]));
    const isAsDeclared = JSON.stringify(capabilities) === JSON.stringify(profile.capabilities);
    return new ClientDescription(members, isAsDeclared);
  }
}
