import { MuxError } from '../errors.js';
import type { OwnToolContext } from '../downstream/own-tool-handler.js';
import type { Addition, Registry } from '../registry/registry.js';
import { shownCommand } from '../upstream/shown-command.js';
import type { ServerConfig } from '../upstream/server-config.js';
import { admit, refusalText, type Admission, type WantedServer } from './add-gate.js';
import type { AddPolicy } from './add-policy.js';
import type { Audit } from './audit.js';
import { commandLine } from './command-line.js';

/** What {@link requestAddition} works with. */
export interface AddRequestComponents {
  readonly registry: Registry;
  /** What agents may add. */
  readonly addPolicy: AddPolicy;
  /** The environment that servers inherit: its secrets are shown to nobody. */
  readonly environment: NodeJS.ProcessEnv;
  readonly audit: Audit;
}

/**
 * Registers and starts a server that an agent wants, if it may have it. At once, unless the user has to be asked: calls
 * that follow find it there.
 *
 * @throws NamespaceError, MuxError of {@link Registry.add}, REFUSED by the policy, CANCELLED while the user was asked
 */
export function requestAddition(
  name: string,
  config: ServerConfig,
  context: OwnToolContext,
  components: AddRequestComponents,
): Addition | Promise<Addition> {
  const { registry, addPolicy, environment, audit } = components;
  const { session } = context.client;
  const wanted: WantedServer = { name, config, shown: shownCommand(config, environment) };
  const refused = (outcome: 'refused' | 'failed', rule: string): void =>
    audit({ action: 'add', server: name, command: commandLine(wanted.shown), outcome, rule, session });
  const conclude = (admission: Admission): Addition => {
    if (admission.isAdmitted)
      return orTell(
        () => registry.add(name, config, { by: { rule: admission.rule, session } }),
        () => refused('failed', 'registry'),
      );
    refused('refused', admission.rule);
    throw new MuxError('REFUSED', refusalText(wanted, admission));
  };
  // Nobody need be asked about a name that cannot be had.
  orTell(
    () => registry.checkName(name),
    () => refused('failed', 'registry'),
  );
  const admission = admit(addPolicy, wanted, context);
  return admission instanceof Promise ? admission.then(conclude) : conclude(admission);
}

function orTell<Result>(work: () => Result, tell: () => void): Result {
  try {
    return work();
  } catch (error) {
    tell();
    throw error;
  }
}
