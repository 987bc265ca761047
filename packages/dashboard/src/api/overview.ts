import process from 'node:process';

import { DEFAULT_LIMITS, explainingLine, type ServerStatus } from '@mcpmux/core';

import { HEARTBEAT_MS } from '../data/flushing.js';
import type { DashboardParts, PageRights } from './dashboard-parts.js';
import type { ApprovalView, OpenApproval, Overview, ServerView, Usage } from '../data/overview-shown.js';

/** Returns the overview for a page with these rights. */
export async function createOverview(parts: DashboardParts, rights: PageRights): Promise<Overview> {
  const { mux, editor, processUsage, processHealth, now, startedAt } = parts;
  const { rules, limits, ...about } = parts.about;
  const { lastEvent } = mux;
  const servers = mux.listServers({ everywhere: true });
  const pids = servers.flatMap(({ pid }) => (typeof pid === 'number' ? [pid] : []));
  const usageByPid = await processUsage.of(pids);
  const memory = process.memoryUsage();
  return {
    mayManage: rights.mayManage,
    mcpmux: {
      ...about,
      instance: mux.instanceId,
      lastEvent,
      heartbeatMs: HEARTBEAT_MS,
      pid: process.pid,
      uptimeSeconds: (now() - startedAt) / 1000,
      memoryBytes: memory.rss,
      ...processHealth.read(),
      rules: rules?.() ?? {},
      limits: { ...DEFAULT_LIMITS, ...limits },
    },
    servers: servers.map((server) => serverView(server, usageByPid, parts)),
    clients: mux.listClients(),
    approvals: mux.approvals.list().map((approval) => approvalView(approval, rights)),
    config: editor?.entries() ?? [],
    canEditConfig: editor !== undefined,
    canSearch: parts.registry !== undefined,
    cluster: parts.cluster?.read(),
  };
}

/** Returns a waiting call for the page. Its arguments, which may contain secrets, go only to pages that may approve. */
function approvalView(approval: OpenApproval, { mayManage }: PageRights): ApprovalView {
  const { arguments: _, ...others } = approval;
  return mayManage ? approval : others;
}

function serverView(
  server: ServerStatus,
  usageByPid: ReadonlyMap<number, Usage>,
  { callsOf, editor }: Pick<DashboardParts, 'callsOf' | 'editor'>,
): ServerView {
  const usage = typeof server.pid === 'number' ? usageByPid.get(server.pid) : undefined;
  const calls = callsOf({ server: server.name, layer: server.layer });
  const reason = explainingLine(server.last_error?.stderr_tail ?? []);
  return { ...server, usage, calls, reason, isOfConfig: editor?.has(server) === true };
}
