import { BoundedMap } from '@mcpmux/kit';
import type { Caller } from '../caller/caller.js';
import type { Principal } from '../../guards/principal.js';
import type { Upstream } from '../../server/upstream.js';
import { NO_CLIENT, type ClientProfile } from '../../server/dialect/client-profile.js';
import type { Era } from '../../server/dialect/era.js';
import type { ClientRequestKind } from '../../server/dialect/client-requests.js';
import type { Implementation } from '../../server/dialect/server-identity.js';
import { clientEnvelope, modernCapabilities } from '../../server/dialect/modern/client-envelope.js';
import { eraMembers, eraToSend } from '../modern/envelope.js';
import { approvedMembers, principalMembers, principalToSend } from '../modern/sent-principal.js';
import { withoutTasks, withTasks } from '../../server/dialect/tasks-extension.js';
import type { CrossedServer } from '../request/crossing.js';
import { ClientDescription } from './client-description.js';
import type { InputComponents } from './input-questions.js';

/** A modern server, with the dependencies of the bridge to it. */
export interface BridgedServer extends CrossedServer {
  readonly envelopes: ClientEnvelopes;
  readonly parts: InputComponents;
}

/** The functions that adapt a client's capabilities: as declared, with the tasks extension, or without it. */
const TASK_DECLARATIONS = {
  declared: (capabilities: ClientProfile['capabilities']) => capabilities,
  with: withTasks,
  without: withoutTasks,
};

/** The parts of a description that depend on the request or the server. */
interface RequestTraits {
  /** The kinds of request that the server may not send to the client. */
  readonly deniedKinds?: readonly ClientRequestKind[] | undefined;
  readonly tasks?: keyof typeof TASK_DECLARATIONS;
  readonly logLevel?: string | undefined;
  /** The request's principal, if mcpmux sends it to this server. */
  readonly principal?: Principal | undefined;
  /** The client's era, if mcpmux sends it to this server. */
  readonly era?: Era | undefined;
  /** The hash of the approved definition, if mcpmux sends it to this server. */
  readonly approvedHash?: string | undefined;
}

/** The maximum number of cached descriptions for one client. A client needs one description per principal. */
const MAX_DESCRIPTIONS = 256;

/** Creates and caches the client descriptions that mcpmux adds to requests to modern servers. */
export class ClientEnvelopes {
  /** The descriptions by client, then by the traits of the request. */
  private readonly descriptionsByClient = new WeakMap<ClientProfile, BoundedMap<string, ClientDescription>>();

  constructor(private readonly clientInfo: Implementation) {}

  /** Returns the description for a request from a legacy client. */
  forLegacy(
    { profile = NO_CLIENT, logLevel, principal }: Caller,
    upstream: Upstream,
    tasks: 'with' | 'without',
    approvedHash?: string,
  ): ClientDescription {
    const { config, identity } = upstream;
    const sendsLogLevel = logLevel !== undefined && identity?.capabilities['logging'] !== undefined;
    const sentLogLevel = sendsLogLevel ? logLevel : undefined;
    return this.descriptionFor(profile, {
      deniedKinds: config.denyRequests,
      tasks,
      logLevel: sentLogLevel,
      principal: principalToSend(principal, upstream),
      era: eraToSend(upstream),
      approvedHash,
    });
  }

  /** Returns the description for a request from a modern client. */
  forModern(
    { profile = NO_CLIENT, principal }: Caller,
    upstream: Upstream,
    tasks: keyof typeof TASK_DECLARATIONS = 'declared',
    approvedHash?: string,
  ): ClientDescription {
    const { denyRequests: deniedKinds } = upstream.config;
    return this.descriptionFor(profile, {
      deniedKinds,
      tasks,
      principal: principalToSend(principal, upstream),
      approvedHash,
    });
  }

  descriptionFor(profile: ClientProfile, traits: RequestTraits): ClientDescription {
    const { deniedKinds = [], tasks = 'declared', ...others } = traits;
    const { logLevel, principal, era, approvedHash } = others;
    const hasDefaultTraits =
      deniedKinds.length === 0 && Object.values(others).every((trait) => trait === undefined);
    const principalKey = principal && JSON.stringify(principalMembers(principal));
    const key = hasDefaultTraits
      ? tasks
      : [tasks, logLevel, era, approvedHash, principalKey, ...deniedKinds].join();
    let descriptions = this.descriptionsByClient.get(profile);
    if (descriptions === undefined)
      this.descriptionsByClient.set(profile, (descriptions = new BoundedMap(MAX_DESCRIPTIONS)));
    const cachedDescription = descriptions.get(key);
    if (cachedDescription !== undefined) return cachedDescription;
    const description = this.createDescription(profile, traits);
    descriptions.set(key, description);
    return description;
  }

  private createDescription(
    profile: ClientProfile,
    { deniedKinds, tasks = 'declared', logLevel, principal, era, approvedHash }: RequestTraits,
  ): ClientDescription {
    const capabilities = TASK_DECLARATIONS[tasks](modernCapabilities(profile, deniedKinds));
    const clientInfo = {
      ...this.clientInfo,
      ...principalMembers(principal),
      ...eraMembers(era),
      ...approvedMembers(approvedHash),
    };
    const envelopeEntries = Object.entries(clientEnvelope(clientInfo, capabilities, logLevel));
    const members = Object.fromEntries(envelopeEntries.map(([name, value]) => [name, JSON.stringify(value)]));
    const isAsDeclared = JSON.stringify(capabilities) === JSON.stringify(profile.capabilities);
    return new ClientDescription(members, isAsDeclared);
  }
}
