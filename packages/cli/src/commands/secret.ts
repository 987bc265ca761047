import { text as readAll } from 'node:stream/consumers';
import process from 'node:process';

import { messageOf } from '@mcpmux/core';
import { type Keyring, systemKeyring } from '@mcpmux/config';

import { ExitCode } from '../base/exit-code.js';
import { printResult, printNote, type CommandContext } from '../terminal/command-context.js';
import { CommandError, usageError } from '../terminal/command-error.js';
import { askHidden } from '../terminal/prompt.js';

const NO_KEYRING_CONSEQUENCE = 'no secret can be saved, and ${secret:NAME} has no value';
const SECRET_NAME = /^[A-Za-z_][\w.-]*$/;

/** The keyring and the reader of new secrets. Tests replace both. */
export interface SecretDependencies {
  readonly keyring: Keyring;
  /** Reads a secret from the terminal or stdin. Every process on the machine could read a command-line argument. */
  readonly readSecretValue: (context: CommandContext, name: string) => Promise<string>;
}

const SYSTEM_DEPENDENCIES: SecretDependencies = { keyring: systemKeyring, readSecretValue };

/** Saves a secret in the keyring, under a name that configs can refer to. */
export async function setSecret(
  context: CommandContext,
  [name = '']: readonly string[],
  _: object,
  { keyring, readSecretValue: readSecret }: SecretDependencies = SYSTEM_DEPENDENCIES,
): Promise<number> {
  if (!SECRET_NAME.test(name))
    throw usageError(`"${name}" is no name of a secret.`, 'use letters, digits, "_", "." and "-"');
  const value = await readSecret(context, name);
  if (value === '')
    throw usageError(
      'the value is empty; nothing was saved.',
      `pass it on stdin: mcpmux secret set ${name} < FILE`,
    );
  withKeyringErrors(() => keyring.set(name, value));
  printNote(context, `Saved ${name} in the keyring\nNext: write \${secret:${name}} in the config`);
  printResult(context, { name, saved: true });
  return ExitCode.Ok;
}

/** Lists the names of mcpmux's secrets in the keyring. */
export function listSecrets(
  context: CommandContext,
  _: readonly string[],
  __: object,
  { keyring }: SecretDependencies = SYSTEM_DEPENDENCIES,
): number {
  const names = withKeyringErrors(() => keyring.listNames());
  printResult(context, names, names.join('\n'));
  if (names.length === 0)
    printNote(context, 'The keyring has no secret of mcpmux. Next: mcpmux secret set NAME');
  return ExitCode.Ok;
}

/** Deletes secrets from the keyring. */
export function removeSecrets(
  context: CommandContext,
  names: readonly string[],
  _: object,
  { keyring }: SecretDependencies = SYSTEM_DEPENDENCIES,
): number {
  const missing = names.filter((name) => !withKeyringErrors(() => keyring.remove(name)));
  const removed = names.filter((name) => !missing.includes(name));
  if (removed.length > 0) printNote(context, `Removed ${removed.join(', ')} from the keyring`);
  if (missing.length > 0) {
    // An unusable keyring can also make secrets seem missing. Listing the names then throws the actual error.
    withKeyringErrors(() => keyring.listNames());
    throw new CommandError('SECRET_NOT_FOUND', `the keyring has no secret ${missing.join(', ')}.`, {
      exitCode: ExitCode.NotFound,
      next: 'mcpmux secret list shows their names',
    });
  }
  printResult(context, { removed });
  return ExitCode.Ok;
}

function withKeyringErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const message = `the keyring of this machine cannot be used (${messageOf(error)}), so ${NO_KEYRING_CONSEQUENCE}.`;
    throw new CommandError('KEYRING_UNAVAILABLE', message, {
      exitCode: ExitCode.Unreachable,
      next: 'set the value as an environment variable, and write ${NAME} in the config',
    });
  }
}

async function readSecretValue({ streams }: CommandContext, name: string): Promise<string> {
  if (streams.isInteractive) return askHidden(`Value of ${name}: `);
  return (await readAll(process.stdin)).replace(/\r?\n$/, '');
}
