import { messageOf } from '@mcpmux/kit';
import { isStreams, isUnusable } from '../server/config/server-config.js';
import type { Upstream } from '../server/upstream.js';
import type { ServerStore } from './context/server-store.js';
import type { ToolContext } from './context/tool-context.js';
import { auditFieldsOf, type AuditRecord } from './journal/audit.js';

/** The outcome of saving or deleting a server. A problem is a sentence for a model. */
export interface Persistence {
  readonly isDone: boolean;
  readonly problem?: string;
}

/** Saves a running server, so that it also starts in later sessions. Returns undefined if the host has no store. */
export function persistServer(upstream: Upstream, context: ToolContext): Promise<Persistence> | undefined {
  const { name, config } = upstream;
  return auditStoreAction('persist', upstream, context, async (store) => {
    // A config with the host's own streams cannot be saved.
    if (isStreams(config) || isUnusable(config)) return false;
    await store.save(name, config);
    const isRemoved = upstream.state.kind === 'removed';
    if (isRemoved) await store.delete(name);
    return !isRemoved;
  });
}

/** Deletes a removed server from the store. `isDone` is false if the store did not contain it. */
export function unpersistServer(upstream: Upstream, context: ToolContext): Promise<Persistence> | undefined {
  return auditStoreAction('forget', upstream, context, (store) => store.delete(upstream.name));
}

function auditStoreAction(
  action: AuditRecord['action'],
  upstream: Upstream,
  { store, audit, client }: ToolContext,
  work: (store: ServerStore) => Promise<boolean>,
): Promise<Persistence> | undefined {
  if (store === undefined) return undefined;
  const record = { action, ...auditFieldsOf(upstream), rule: 'store', session: client.session };
  return work(store).then(
    (isDone) => {
      if (isDone) audit({ ...record, outcome: 'done' });
      return { isDone };
    },
    (error: unknown) => {
      audit({ ...record, outcome: 'failed' });
      return { isDone: false, problem: messageOf(error) };
    },
  );
}
