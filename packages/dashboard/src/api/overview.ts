import process from 'node:process';

import { DEFAULT_LIMITS, explainingLine, type ServerStatus } from '@mcpmux/core';

import { HEARTBEAT_MS } from '../data/flushing.js';
import type { DashboardParts, PageRights } from './dashboard-parts.js';
import type { ApprovalView, OpenApproval, Overview, ServerView, Usage } from '../data/overview-shown.js';

/** Returns the overview for a page with these rights. */
export async function overview(parts: DashboardParts, rights: PageRights): Promise<Overview> {
  const { mux, editor, usage, health, now, started } = parts;
  const { rules, limits, ...about } = parts.about;
  const { lastEvent } = mux;
  const servers = mux.listServers({ everywhere: true });
  const pids = servers.flatMap(({ pid }) => (typeof pid === 'number' ? [pid] : []));
  const used = await usage.of(pids);
  const memory = process.memoryUsage();
  return {
    mayManage: rights.mayManage,
    mcpmux: {
      ...about,
      instance: mux.instanceId,
      lastEvent,
      heartbeatMs: HEARTBEAT_MS,
      pid: process.pid,
      uptimeSeconds: (now() - started) / 1000,
      memoryBytes: memory.rss,
      ...health.read(),
      rules: rules?.() ?? {},
      limits: { ...DEFAULT_LIMITS, ...limits },
    },
    servers: servers.map((server) => shown(server, used, parts)),
    clients: mux.listClients(),
    approvals: mux.approvals.list().map((approval) => shownApproval(approval, rights)),
    config: editor?.entries() ?? [],
    canEditConfig: editor !== undefined,
    canSearch: parts.registry !== undefined,
    cluster: parts.cluster?.read(),
  };
}

/** Returns a waiting call for the page. Only a page that may answer gets the arguments, which may contain secrets. */
function shownApproval(approval: OpenApproval, { mayManage }: PageRights): ApprovalView {
  const { arguments: _, ...others } = approval;
  return mayManage ? approval : others;
}

function shown(
  server: ServerStatus,
  used: ReadonlyMap<number, Usage>,
  { callsOf, editor }: Pick<DashboardParts, 'callsOf' | 'editor'>,
): ServerView {
  const usage = typeof server.pid === 'number' ? used.get(server.pid) : undefined;
  const calls = callsOf({ server: server.name, layer: server.layer });
  const reason = explainingLine(server.last_error?.stderr_tail ?? []);
  return { ...server, usage, calls, reason, isOfConfig: editor?.has(server) === true };
}
