import type { Caller } from '../../downstream/caller/caller.js';
import type { Upstream } from '../../upstream/upstream.js';
import { NO_CLIENT, type ClientProfile } from '../client-profile.js';
import type { ClientRequestKind } from '../client-requests.js';
import type { Implementation } from '../server-identity.js';
import { ENVELOPE } from '../envelope-keys.js';
import { envelopeOf, modernCapabilities } from '../modern/client-envelope.js';
import { withoutTasks, withTasks } from '../tasks-extension.js';

type Members = Readonly<Record<string, string>>;

/** What servers are told of the extension for tasks: what the client says of it, or what mcpmux does in its place. */
const TASKS_DECLARED = {
  declared: (capabilities: ClientProfile['capabilities']) => capabilities,
  with: withTasks,
  without: withoutTasks,
};

/** What servers of the modern era are told of clients with each request. */
export class ClientEnvelopes {
  /** By client, and by what a server may not ask it for. */
  private readonly known = new WeakMap<ClientProfile, Map<string, Members>>();

  constructor(private readonly clientInfo: Implementation) {}

  /** The members of `_meta` for a request of a legacy client, JSON text by key. */
  membersFor(
    { profile = NO_CLIENT, logLevel }: Caller,
    { config, identity }: Upstream,
    tasks: 'with' | 'without',
  ): Members {
    const members = this.membersOf(profile, config.denyRequests, tasks);
    const isLogging = logLevel !== undefined && identity?.capabilities['logging'] !== undefined;
    return isLogging ? { ...members, [ENVELOPE.logLevel]: JSON.stringify(logLevel) } : members;
  }

  /** The members of `_meta` that describe a client to a server with this configuration. */
  membersOf(
    profile: ClientProfile,
    denied: readonly ClientRequestKind[] = [],
    tasks: keyof typeof TASKS_DECLARED = 'declared',
  ): Members {
    const key = [tasks, ...denied].join();
    const byDenied = this.known.get(profile) ?? new Map<string, Members>();
    const known = byDenied.get(key);
    if (known !== undefined) return known;
    const capabilities = TASKS_DECLARED[tasks](modernCapabilities(profile, denied));
    const envelope = Object.entries(envelopeOf(this.clientInfo, capabilities));
    const members = Object.fromEntries(envelope.map(([name, value]) => [name, JSON.stringify(value)]));
    this.known.set(profile, byDenied.set(key, members));
    return members;
  }
}
