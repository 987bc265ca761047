import { randomInt } from 'node:crypto';
import process from 'node:process';
import { text as readAll } from 'node:stream/consumers';

import { broughtLogin, logIn, type Login, type LoginInit, messageOf } from '@mcpmux/core';

import { ExitCode } from '../base/exit-code.js';
import { CallbackListener } from '../login/callback-listener.js';
import { pastedAnswer } from '../login/pasted-answer.js';
import { printResult, printNote, type CommandContext, type Action } from '../terminal/command-context.js';
import { CommandError, usage } from '../terminal/command-error.js';
import { askText } from '../terminal/prompt.js';
import type { ClusterFlags } from '../cluster/cluster-options.js';
import { SavedLogin } from './command-logins.js';
import type { ConfigFlags } from '../config/config-choice.js';
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
  /** False with `--no-browser`: the browser is on another machine. */
  readonly browser?: boolean;
  /** `-`: the token or the login comes from stdin. */
  readonly token?: string;
}

/** Logs a person in to a server at a URL, and saves the login. */
export const login: Action<LoginFlags> = async (context, [name = ''], flags) => {
  const { url, headers, config } = loginServer(context, name, flags);
  const saved = new SavedLogin(context, { name, url, config }, flags);
  const init = {
    url,
    headers,
    client: clientOf(context, flags),
    clientMetadataUrl: documentOf(flags),
    previous: flags.token === undefined ? await saved.load() : undefined,
    scope: flags.scopes,
  };
  const work =
    flags.token === undefined ? obtainLogin(context, name, init, flags) : brought(url, flags.token);
  await saved.save(
    await work.catch((error: unknown) => {
      throw failed(name, error);
    }),
  );
  const { place } = saved;
  const isShared = 'cluster' in place;
  printNote(context, `Logged in to ${name}. The login is saved in ${isShared ? 'the cluster' : place.file}`);
  if (isShared) await saved.announce();
  printNote(context, `Next: mcpmux tools ${name}, and for a running mcpmux: mcpmux reload ${name}`);
  printResult(context, { name, ...place });
  return ExitCode.Ok;
};

/** Reads a token, or a login that another mcpmux has saved, from stdin: other users can see arguments. */
async function brought(url: string, source: string): Promise<Login> {
  if (source !== '-')
    throw usage('--token reads the token from stdin.', 'mcpmux login NAME --token - < FILE');
  return broughtLogin(url, await readAll(process.stdin));
}

/** Gets a login from the authorization server. */
async function obtainLogin(
  context: CommandContext,
  name: string,
  init: Omit<LoginInit, 'redirectUrl' | 'authorize'>,
  flags: LoginFlags,
): Promise<Login> {
  // Printed even with --quiet, because a person cannot log in without the page.
  const print = context.streams.err;
  if (flags.browser === false) return logIn({ ...init, ...elsewhere(name, flags.port, print) });
  await using listener = await listening(flags.port);
  const authorize: LoginInit['authorize'] = (page) => {
    print(`Open this page to log in to ${name}:\n  ${page.href}\n`);
    return listener.answer(page.searchParams.get('state') ?? '', PATIENCE_MS);
  };
  return await logIn({ ...init, redirectUrl: listener.url, authorize });
}

/** Returns the parts of a login with a browser on another machine: a code of a device, or a pasted address. */
function elsewhere(
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
      return pastedAnswer(await askText('Paste the address that it could not open: '));
    },
  };
}

const MINUTE_MS = 60_000;
/** The ports on which no service listens by convention. */
const [FIRST_PORT, LAST_PORT] = [49_152, 65_535];

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
