import process from 'node:process';

import type { HttpSettings } from '@mcpmux/config';
import { errorCodeOf, type Logger } from '@mcpmux/core';
import {
  anyOf,
  BearerTokens,
  createHttpFront,
  isLoopback,
  SignedTokens,
  type Credentials,
  type HttpFrontOptions,
} from '@mcpmux/http';

import { writeStderr } from '../base/terminal-output.js';
import { ExitCode } from '../base/exit-code.js';
import type { HttpAddress, HttpFlags } from './http-options.js';
import type { FrontendParts, OpenFrontend } from './frontend.js';
import { refuseStart, type StartRefusal } from './refused.js';
import { readAcceptedTokens } from './token-source.js';

/** Serves multiple clients over HTTP. Writes the URL to stderr regardless of the log level. */
export function httpFrontendFor(address: HttpAddress, flags: HttpFlags): OpenFrontend {
  return async (mux, logger, settings = {}, { page, cluster } = {}) => {
    const tokens = readAcceptedTokens(flags.tokenFile, process.env);
    if (tokens !== undefined && 'problem' in tokens) return refuseStart([tokens.problem]);
    const { host, port } = address;
    const { ui, pageOnly = false } = flags;
    const credentials = credentialsOf(tokens, settings, logger);
    const problem = isLoopback(host) ? undefined : listenProblem(host, flags, credentials);
    if (problem !== undefined) return refuseStart([problem]);
    let isConfigured = false;
    const front = createHttpFront(mux, {
      ...frontOptions(address, flags),
      ...clusterFrontOptions(cluster),
      mounted: ui && (await page?.mountedPages()),
      credentials,
      resource: settings.resource,
      logger,
      isConfigured: () => isConfigured,
    });
    cluster?.setFront(front);
    let url: string;
    try {
      const mcpUrl = await front.listen();
      url = pageOnly ? new URL('/ui/', mcpUrl).href : mcpUrl;
      writeStderr(urlLines(url, flags));
      if (ui !== undefined) await page?.setOrigin(new URL(url).origin, ui);
    } catch (error) {
      return reportListenFailure(host, port, error);
    }
    return {
      // Never resolves, because new clients can always connect.
      closed: new Promise(() => undefined),
      retainsRequests: true,
      served: { url },
      onConfigured: () => (isConfigured = true),
      drain: () => {
        cluster?.setFront(undefined);
        return front.close();
      },
    };
  };
}

function clusterFrontOptions(cluster: FrontendParts['cluster']): HttpFrontOptions {
  return cluster === undefined ? {} : cluster.frontOptions;
}

function frontOptions({ host, port }: HttpAddress, flags: HttpFlags): HttpFrontOptions {
  const { allowHost = [], allowOrigin = [], insecure = false, isolated = false } = flags;
  const { sse = false, maxSessions, pageOnly = false } = flags;
  const limits = maxSessions === undefined ? {} : { maxSessions };
  const names = { allowHosts: allowHost, allowOrigins: allowOrigin };
  return { host, port, ...names, insecure, isolated, sse, limits, mountedOnly: pageOnly };
}

/** Combines the credentials from the flags, the environment and the config. Returns undefined if clients need none. */
function credentialsOf(
  flagTokens: BearerTokens | undefined,
  { tokens, jwt }: HttpSettings,
  logger: Logger,
): Credentials | undefined {
  const sources: readonly Credentials[] = [
    ...(flagTokens === undefined ? [] : [flagTokens]),
    ...(tokens === undefined ? [] : [BearerTokens.hashed(tokens)]),
    ...(jwt === undefined ? [] : [new SignedTokens(jwt, logger)]),
  ];
  return sources.length === 0 ? undefined : anyOf(sources);
}

/** Returns the message for stderr that announces the front's URLs. */
export function urlLines(url: string, { sse = false, pageOnly = false }: HttpFlags): string {
  if (pageOnly) return `mcpmux: serving the page at ${url}\n`;
  const sseLine = `mcpmux: serving the transport of 2024-11-05 at ${new URL('/sse', url).href}\n`;
  return `mcpmux: serving MCP at ${url}\n${sse ? sseLine : ''}`;
}

/** Returns why mcpmux refuses to listen on an address that other machines can reach, or undefined if it may listen. */
function listenProblem(
  host: string,
  { insecure = false, ui }: HttpFlags,
  credentials: Credentials | undefined,
): string | undefined {
  if (credentials === undefined && !insecure) return needsTokenProblem(host);
  return ui === undefined ? undefined : pageNeedsLoopbackProblem(host);
}

function pageNeedsLoopbackProblem(host: string): string {
  return `--ui serves the page on loopback only, and ${host} is reached by other machines. Leave --ui out, or listen on 127.0.0.1.`;
}

function needsTokenProblem(host: string): string {
  return (
    `every client that reaches ${host} could start programs, so a token is required. Put a token into a file and pass ` +
    '--token-file FILE, or set MCPMUX_HTTP_TOKEN. To admit every client without a token: --insecure.'
  );
}

function reportListenFailure(host: string, port: number, error: unknown): StartRefusal {
  const code = errorCodeOf(error) ?? String(error);
  const advice = code === 'EADDRINUSE' ? 'Another program uses the port. Choose another, or 0 for any.' : '';
  return refuseStart(
    [`cannot listen on ${host} port ${port}: ${code}. ${advice}`.trimEnd()],
    ExitCode.Failed,
  );
}
