import { logIn, type LoginInit, messageOf } from '@mcpmux/core';

import { ExitCode } from '../base/exit-code.js';
import { CallbackListener } from '../login/callback-listener.js';
import { printResult, printNote, type CommandContext, type Action } from '../terminal/command-context.js';
import { CommandError, usage } from '../terminal/command-error.js';
import type { ClusterFlags } from '../cluster/cluster-options.js';
import { SavedLogin } from './command-logins.js';
import type { ConfigFlags } from './config-choice.js';
import { loginServer } from './login-server.js';

/** The time within which a person must log in. */
const PATIENCE_MS = 10 * 60_000;

/** Flags of `mcpmux login`. */
export interface LoginFlags extends ConfigFlags, ClusterFlags {
  readonly clientId?: string;
  /** Name of the environment variable that holds the secret. */
  readonly clientSecretEnv?: string;
  readonly clientMetadataUrl?: string;
  readonly scopes?: string;
  readonly port?: number;
}

/** Logs a person in to a server at a URL, and saves the login. */
export const login: Action<LoginFlags> = async (context, [name = ''], flags) => {
  const { url, headers, config } = loginServer(context, name, flags);
  const saved = new SavedLogin(context, { name, url, config }, flags);
  await using listener = await listening(flags.port);
  const authorize: LoginInit['authorize'] = (page) => {
    // Printed even with --quiet, because a person cannot log in without the page.
    context.streams.err(`Open this page to log in to ${name}:\n  ${page.href}\n`);
    return listener.answer(page.searchParams.get('state') ?? '', PATIENCE_MS);
  };
  const init = {
    url,
    headers,
    redirectUrl: listener.url,
    client: clientOf(context, flags),
    clientMetadataUrl: documentOf(flags),
    previous: await saved.load(),
    scope: flags.scopes,
    authorize,
  };
  const given = await logIn(init).catch((error: unknown) => {
    throw failed(name, error);
  });
  await saved.save(given);
  const { place } = saved;
  const isShared = 'cluster' in place;
  printNote(context, `Logged in to ${name}. The login is saved in ${isShared ? 'the cluster' : place.file}`);
  if (isShared) await saved.announce();
  printNote(context, `Next: mcpmux tools ${name}, and for a running mcpmux: mcpmux reload ${name}`);
  if (context.flags.json === true) printResult(context, { name, ...place }, '');
  return ExitCode.Ok;
};

async function listening(port: number | undefined): Promise<CallbackListener> {
  try {
    return await CallbackListener.open(port);
  } catch {
    throw new CommandError('PORT_TAKEN', `mcpmux cannot listen on port ${port} of 127.0.0.1.`, {
      next: 'name another port with --port, or leave --port out.',
    });
  }
}

function clientOf({ environment }: CommandContext, flags: LoginFlags): LoginInit['client'] {
  const { clientId, clientSecretEnv } = flags;
  const clientSecret = clientSecretEnv === undefined ? undefined : environment[clientSecretEnv];
  if (clientSecretEnv !== undefined && (clientSecret === undefined || clientId === undefined)) {
    throw usage(
      clientId === undefined
        ? '--client-secret-env needs --client-id.'
        : `the environment variable ${clientSecretEnv} is not set.`,
    );
  }
  return clientId === undefined ? undefined : { clientId, clientSecret };
}

function documentOf({ clientMetadataUrl: text }: LoginFlags): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' && url.pathname !== '/') return text;
  throw usage('--client-metadata-url is no https url with a path.');
}

function failed(name: string, error: unknown): CommandError {
  const message = messageOf(error);
  const advice = error instanceof Error && 'advice' in error ? error.advice : undefined;
  const wantsClient = /dynamic client registration/i.test(message);
  return new CommandError('LOGIN_FAILED', `the login to ${name} failed: ${message}`, {
    ...(typeof advice === 'string' && { details: [advice] }),
    next: wantsClient
      ? `register an OAuth client by hand, then: mcpmux login ${name} --client-id ID --port PORT`
      : `mcpmux doctor ${name}`,
  });
}
