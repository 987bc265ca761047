import process from 'node:process';

import { systemClock, type Logger, type Mux } from '@mcpmux/core';

import type { HttpSettings } from '../config/http-settings.js';
import type { Face, OpenFace } from '../serve.js';
import { ExitCode } from '../exit-code.js';
import { connectOptions } from './caller.js';
import { BearerTokens } from './guards/bearer-tokens.js';
import { anyOf, type Credentials } from './guards/credentials.js';
import { ResourceMetadata } from './guards/resource-metadata.js';
import { SignedTokens } from './guards/signed-tokens.js';
import { isLoopback } from './guards/allowed-hosts.js';
import { HttpFront } from './http-front.js';
import { DEFAULT_HTTP_LIMITS } from './http-limits.js';
import type { HttpOptions } from './http-options.js';
import { FrontMetrics } from './metrics/front-metrics.js';
import { servePage } from './metrics/pages.js';
import { SharedNames } from './metrics/shared-names.js';
import { servedAt } from './served-paths.js';
import { tokensOf } from './token-source.js';

/** The face of many clients over HTTP. Says on stderr at which URL, whatever is logged. */
export function httpFace(options: HttpOptions): OpenFace {
  return async (mux, logger, settings = {}) => {
    const tokens = tokensOf(options.tokenFile, process.env);
    if (tokens !== undefined && 'problem' in tokens) return refused(tokens.problem);
    const { host, port } = options.http;
    const credentials = credentialsOf(tokens, settings, logger);
    const metadata = settings.resource && new ResourceMetadata(settings.resource);
    if (credentials === undefined && !isLoopback(host) && !options.insecure) return refused(needsToken(host));
    const limits = { ...DEFAULT_HTTP_LIMITS, ...options.limits };
    const { allowHosts, allowOrigins, sse } = options;
    const face = new HttpFace(mux);
    const front = new HttpFront(
      { host, port, allowHosts, allowOrigins, credentials, metadata, limits, sse },
      {
        connect: (link, caller) => mux.connect(link, connectOptions(caller, options.isolated)),
        logger,
        now: () => systemClock.now(),
        metrics: face.metrics,
        page: (path, response) => servePage(path, response, face.sources(front)),
      },
    );
    try {
      process.stderr.write(servedAt(await front.listen(), sse));
    } catch (error) {
      return cannotListen(host, port, error);
    }
    return face.of(front, limits.drainMs);
  };
}

/** Whoever may come in; undefined for everybody. */
function credentialsOf(
  given: BearerTokens | undefined,
  { tokens, jwt }: HttpSettings,
  logger: Logger,
): Credentials | undefined {
  const all: readonly Credentials[] = [
    ...(given === undefined ? [] : [given]),
    ...(tokens === undefined ? [] : [BearerTokens.hashed(tokens)]),
    ...(jwt === undefined ? [] : [new SignedTokens(jwt, logger)]),
  ];
  return all.length === 0 ? undefined : anyOf(all);
}

/** What a front tells of its mux, and how it ends. */
class HttpFace {
  readonly metrics: FrontMetrics;
  private isConfigured = false;
  private isEnding = false;

  constructor(private readonly mux: Mux) {
    this.metrics = new FrontMetrics(() => systemClock.now());
    const names = new SharedNames(mux);
    mux.on('call:end', (call) => this.metrics.callEnded({ ...call, server: names.take(call) }));
  }

  sources({ sessions }: HttpFront): Parameters<typeof servePage>[2] {
    return {
      servers: () => this.mux.listServers(),
      allServers: () => this.mux.listServers({ everywhere: true }),
      isConfigured: () => this.isConfigured,
      isEnding: () => this.isEnding,
      sessions: () => ({
        open: sessions.size,
        inFlight: sessions.all.reduce((sum, { requests }) => sum + requests.size, 0),
        unreadBytes: sessions.all.reduce((sum, { unreadBytes }) => sum + unreadBytes, 0),
      }),
      metrics: this.metrics,
    };
  }

  of(front: HttpFront, drainMs: number): Face {
    return {
      // Clients come and go; only a signal ends it.
      closed: new Promise(() => undefined),
      configured: () => (this.isConfigured = true),
      drain: async () => {
        this.isEnding = true;
        await front.drain((event) => atMost(drainMs, event));
      },
    };
  }
}

async function atMost(limitMs: number, event: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, limitMs)));
  await Promise.race([event, late]);
  clearTimeout(timer);
}

function refused(problem: string): { readonly exitCode: number } {
  process.stderr.write(`mcpmux: ${problem}\n`);
  return { exitCode: ExitCode.Usage };
}

function needsToken(host: string): string {
  return (
    `whoever can reach ${host} could start programs here, so a token is needed. Put one into a file and name it ` +
    'with --token-file, or set MCPMUX_HTTP_TOKEN. To serve everybody all the same: --insecure.'
  );
}

function cannotListen(host: string, port: number, error: unknown): { readonly exitCode: number } {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  const next = code === 'EADDRINUSE' ? 'Another program has that port; take another one, or 0 for any.' : '';
  process.stderr.write(
    `mcpmux: cannot listen on ${host} port ${port}: ${code}. ${next}\n`.replace(' \n', '\n'),
  );
  return { exitCode: ExitCode.Failed };
}
