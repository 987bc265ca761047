import process from 'node:process';

import type { Logger } from '@mcpmux/core';
import {
  anyOf,
  BearerTokens,
  createHttpFront,
  isLoopback,
  SignedTokens,
  type Credentials,
} from '@mcpmux/http';

import type { HttpSettings } from '../config/http-settings.js';
import { ExitCode } from '../base/exit-code.js';
import type { HttpOptions } from './http-options.js';
import type { OpenFrontend } from './serve.js';
import { servedAt } from './served-at.js';
import { tokensOf } from './token-source.js';

/** Serves many clients over HTTP. Writes the URL to stderr at every log level. */
export function openHttp(options: HttpOptions): OpenFrontend {
  return async (mux, logger, settings = {}) => {
    const tokens = tokensOf(options.tokenFile, process.env);
    if (tokens !== undefined && 'problem' in tokens) return refused(tokens.problem);
    const { host, port } = options.http;
    const credentials = credentialsOf(tokens, settings, logger);
    if (credentials === undefined && !isLoopback(host) && !options.insecure) return refused(needsToken(host));
    const { resource } = settings;
    let isConfigured = false;
    const front = createHttpFront(mux, {
      ...options,
      host,
      port,
      credentials,
      resource,
      logger,
      isConfigured: () => isConfigured,
    });
    try {
      process.stderr.write(servedAt(await front.listen(), options.sse));
    } catch (error) {
      return cannotListen(host, port, error);
    }
    return {
      // Clients come and go; only a signal ends it.
      closed: new Promise(() => undefined),
      configured: () => (isConfigured = true),
      drain: () => front.close(),
    };
  };
}

/** The credentials of the config and the command line together; undefined lets every client in. */
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
