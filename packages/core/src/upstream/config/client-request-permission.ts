import type { ClientProfile } from './client-profile.js';

/** What a server may be kept from asking the client and its user for, by the capability that a client declares. */
export type ClientRequestKind = 'sampling' | 'elicitation' | 'roots';

const KINDS: Readonly<Record<string, ClientRequestKind>> = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
};

/** The kind of this request when it is one that is denied. */
export function deniedKind(
  method: string,
  denied: readonly ClientRequestKind[],
): ClientRequestKind | undefined {
  const kind = Object.hasOwn(KINDS, method) ? KINDS[method] : undefined;
  return kind !== undefined && denied.includes(kind) ? kind : undefined;
}

/** What a server is told of a client: not what it may not ask for. */
export function withoutDenied(profile: ClientProfile, denied: readonly ClientRequestKind[]): ClientProfile {
  if (denied.length === 0) return profile;
  const names: ReadonlySet<string> = new Set(denied);
  const kept = Object.entries(profile.capabilities).filter(([name]) => !names.has(name));
  return { ...profile, capabilities: Object.fromEntries(kept) };
}
