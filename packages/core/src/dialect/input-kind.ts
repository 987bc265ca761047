import type { ClientProfile } from './client-profile.js';

/** What a server may be kept from asking the client and its user for, by the capability that a client declares. */
export type ClientRequestKind = 'sampling' | 'elicitation' | 'roots';

const KINDS: Readonly<Record<string, ClientRequestKind>> = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
};

/** What a server asks a client for by this method. */
export function inputKindOf(method: string): ClientRequestKind | undefined {
  return Object.hasOwn(KINDS, method) ? KINDS[method] : undefined;
}

/** The kind of this request when it is one that is denied. */
export function deniedKind(
  method: string,
  denied: readonly ClientRequestKind[],
): ClientRequestKind | undefined {
  const kind = inputKindOf(method);
  return kind !== undefined && denied.includes(kind) ? kind : undefined;
}

/** What a server is told of a client: not what it may not ask for. */
export function withoutDenied(profile: ClientProfile, denied: readonly ClientRequestKind[]): ClientProfile {
  if (denied.length === 0) return profile;
  const names: ReadonlySet<string> = new Set(denied);
  const kept = Object.entries(profile.capabilities).filter(([name]) => !names.has(name));
  return { ...profile, capabilities: Object.fromEntries(kept) };
}

/** Whether a method is about a task: its params name the task instead of a tool. */
export function isTaskMethod(method: string): boolean {
  return method.startsWith('tasks/');
}

/** The result, as JSON text, for a client that has gone and cannot refuse any more; undefined where there is none. */
export function resultOfNobody(method: string): string | undefined {
  return method === 'elicitation/create' ? '{"action":"cancel"}' : undefined;
}
