import { randomInt } from 'node:crypto';
import process from 'node:process';
import { text as readAll } from 'node:stream/consumers';

import { broughtLogin, logIn, type Login, type LoginInit, messageOf } from '@mcpmux/core';

import { ExitCode } from '../base/exit-code.js';
import { CallbackListener } from '../login/callback-listener.js';
import { parsePastedAnswer } from '../login/pasted-answer.js';
import { printResult, printNote, type CommandContext, type Action } from '../terminal/command-context.js';
import { CommandError, usageError } from '../terminal/command-error.js';
import { askText } from '../terminal/prompt.js';
import type { ClusterFlags } from '../cluster/cluster-options.js';
import { SavedLogin } from './command-logins.js';
import type { ConfigFlags } from '../config/config-choice.js';
import { findServerForLogin } from './login-server.js';

/** How long the command waits for the user to log in. */
const LOGIN_TIMEOUT_MS = 10 * 60_000;

/** Flags of `mcpmux login`. */
export interface LoginFlags extends ConfigFlags, ClusterFlags {
  readonly clientId?: string;
  /** The name of the environment variable that contains the client secret. */
  readonly clientSecretEnv?: string;
  readonly clientMetadataUrl?: string;
  readonly scopes?: string;
  readonly port?: number;
  /** False with `--no-browser`, for logging in with a browser on another machine. */
  readonly browser?: boolean;
  /** Must be `-`: the command reads a token or a saved login from stdin. */
  readonly token?: string;
}

/** Logs the user in to a remote server, and saves the login. */
export const login: Action<LoginFlags> = async (context, [name = ''], flags) => {
  const { url, headers, config } = findServerForLogin(context, name, flags);
  const saved = new SavedLogin(context, { name, url, config }, flags);
  const init = {
    url,
    headers,
    client: clientOf(context, flags),
    clientMetadataUrl: validMetadataUrl(flags),
    previous: flags.token === undefined ? await saved.load() : undefined,
    scope: flags.scopes,
  };
  const work =
    flags.token === undefined ? obtainLogin(context, name, init, flags) : loginFromStdin(url, flags.token);
  await saved.save(
    await work.catch((error: unknown) => {
      throw loginError(name, error);
    }),
  );
  const { location: place } = saved;
  const isShared = 'cluster' in place;
  printNote(context, `Logged in to ${name}. The login is saved in ${isShared ? 'the cluster' : place.file}`);
  if (isShared) await saved.notifyOwner();
  printNote(context, `Next: mcpmux tools ${name}, and for a running mcpmux: mcpmux reload ${name}`);
  printResult(context, { name, ...place });
  return ExitCode.Ok;
};

/** Reads a token or another mcpmux's saved login from stdin, because other users can see command-line arguments. */
async function loginFromStdin(url: string, source: string): Promise<Login> {
  if (source !== '-')
    throw usageError('--token reads the token from stdin.', 'mcpmux login NAME --token - < FILE');
  return broughtLogin(url, await readAll(process.stdin));
}

async function obtainLogin(
  context: CommandContext,
  name: string,
  init: Omit<LoginInit, 'redirectUrl' | 'authorize'>,
  flags: LoginFlags,
): Promise<Login> {
  // Prints the URL even with `--quiet`, because the user needs it to log in.
  const print = context.streams.err;
  if (flags.browser === false) return logIn({ ...init, ...remoteLoginSteps(name, flags.port, print) });
  await using listener = await openListener(flags.port);
  const authorize: LoginInit['authorize'] = (page) => {
    print(`Open this page to log in to ${name}:\n  ${page.href}\n`);
    return listener.waitForAnswer(page.searchParams.get('state') ?? '', LOGIN_TIMEOUT_MS);
  };
  return await logIn({ ...init, redirectUrl: listener.url, authorize });
}

/** Returns the steps for a login through a browser on another machine, with a device code or a pasted URL. */
function remoteLoginSteps(
  name: string,
  port: number = randomInt(FIRST_PORT, LAST_PORT),
  print: (text: string) => void,
): Pick<LoginInit, 'redirectUrl' | 'device' | 'authorize'> {
  return {
    redirectUrl: new URL(`http://127.0.0.1:${port}/callback`),
    device: ({ code, page, direct, lifeMs }) => {
      const minutes = Math.round(lifeMs / MINUTE_MS);
      print(
        `Open this page on any device to log in to ${name}, and enter ${code} (valid for ${minutes} min):\n`,
      );
      print(`  ${page.href}\n${direct === undefined ? '' : `or, with the code in it:\n  ${direct.href}\n`}`);
    },
    authorize: async (page) => {
      print(`Open this page in any browser to log in to ${name}:\n  ${page.href}\n`);
      print('The browser then shows an error, because nothing answers at 127.0.0.1.\n');
      return parsePastedAnswer(await askText('Paste the address that it could not open: '));
    },
  };
}

const MINUTE_MS = 60_000;
/** The range of dynamic ports, which are not assigned to services. */
const [FIRST_PORT, LAST_PORT] = [49_152, 65_535];

async function openListener(port: number | undefined): Promise<CallbackListener> {
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
    throw usageError(
      clientId === undefined
        ? '--client-secret-env needs --client-id.'
        : `the environment variable ${clientSecretEnv} is not set.`,
    );
  }
  return clientId === undefined ? undefined : { clientId, clientSecret };
}

function validMetadataUrl({ clientMetadataUrl: text }: LoginFlags): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' && url.pathname !== '/') return text;
  throw usageError('--client-metadata-url is no https url with a path.');
}

function loginError(name: string, error: unknown): CommandError {
  if (error instanceof CommandError) return error;
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
