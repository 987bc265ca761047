import { quote, REFUSAL_ADVICE } from '@mcpmux/kit';
import { isLocalHost } from '@mcpmux/remote';
import type { OwnToolContext } from '../../client/caller/own-tool-handler.js';
import { isRemote, type ServerConfig } from '../../server/config/server-config.js';
import type { RedactedCommand } from '../../server/config/redact-command.js';
import { decideAdd, type AddDecision, type AddPolicy } from './add-policy.js';
import { addQuestion } from './add-question.js';
import { askUser } from './ask-user.js';

/** A server that an agent requests to add. */
export interface RequestedServer {
  readonly name: string;
  readonly config: ServerConfig;
  /** True if the server must be saved, so that it also starts in later sessions. */
  readonly isPersisted: boolean;
  /** Returns the command as the question shows it to the user. */
  readonly commandForUser: () => RedactedCommand;
}

/** The decision about a server, and the rule behind it. */
export type Admission = Exclude<AddDecision, { readonly kind: 'ask' }>;

/**
 * Applies the policy to a server that an agent requests. If the policy requires it, asks the calling client's user.
 * Without a question, decides synchronously, so that consecutive calls see each other's effects.
 *
 * @throws MuxError CANCELLED if the call is cancelled before the user has answered
 */
export function admit(
  policy: AddPolicy,
  requested: RequestedServer,
  context: OwnToolContext,
): Admission | Promise<Admission> {
  const decision = decideAdd(policy, requested.config, context.client.layers.folder);
  return decision.kind === 'ask' ? askForAdmission(decision, requested, context) : decision;
}

/** The rules that admit an agent's URL although no person has approved the addresses to which its host resolves. */
const HOST_CHECKED_RULES: ReadonlySet<string> = new Set(['ask', 'sandbox']);

/**
 * Returns the config with which to register an admitted server. A public host name must resolve to a public address,
 * because the user has approved only the name (rule `ask`) or nothing at all (rule `sandbox`).
 */
export function configToRegister(config: ServerConfig, rule: string): ServerConfig {
  if (!isRemote(config) || !HOST_CHECKED_RULES.has(rule) || !URL.canParse(config.url)) return config;
  return isLocalHost(new URL(config.url)) ? config : { ...config, publicOnly: true };
}

/** Returns the result for an agent whose server was rejected, in terms that a model can act on. */
export function refusalText(name: string, { rule, reason }: { rule: string; reason: string }): string {
  return `Server ${quote(name)} was not added: ${reason} (rule: ${rule}). ${POLICY_ADVICE}`;
}

const POLICY_ADVICE = `${REFUSAL_ADVICE} (--add-policy, --allow-command).`;

async function askForAdmission(
  { rule, rights }: Extract<AddDecision, { readonly kind: 'ask' }>,
  requested: RequestedServer,
  context: OwnToolContext,
): Promise<Admission> {
  const { name, config, isPersisted, commandForUser } = requested;
  const question = addQuestion(name, config, commandForUser(), { isPersisted, rights });
  const reason =
    'problem' in question ? question.problem : await askUser(question.message, `adding ${name}`, context);
  return reason === undefined ? { kind: 'allow', rule } : { kind: 'refuse', rule, reason };
}
