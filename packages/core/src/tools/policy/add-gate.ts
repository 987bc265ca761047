import { quote, REFUSAL_ADVICE } from '@mcpmux/kit';
import { isLocalHost } from '@mcpmux/remote';
import type { OwnToolContext } from '../../client/caller/own-tool-handler.js';
import { isRemote, type ServerConfig } from '../../server/config/server-config.js';
import type { RedactedCommand } from '../../server/config/redact-command.js';
import { decideAdd, type AddDecision, type AddPolicy } from './add-policy.js';
import { addQuestion } from './add-question.js';
import { refusalByUser } from './ask-user.js';

/** A server that an agent requests. */
export interface WantedServer {
  readonly name: string;
  readonly config: ServerConfig;
  /** True if the server is stored for later starts. */
  readonly isPersisted: boolean;
  /** Returns the command as the user must see it. */
  readonly asked: () => RedactedCommand;
}

/** The decision about a server, and the rule for the decision. */
export type Admission = Exclude<AddDecision, { readonly kind: 'ask' }>;

/**
 * Applies the policy to a server that an agent requests. Asks the user of the calling client if the policy requires it.
 * Without a question, the decision is synchronous, so that consecutive calls see each other's effects.
 *
 * @throws MuxError CANCELLED when the call is cancelled while the user is asked
 */
export function admit(
  policy: AddPolicy,
  wanted: WantedServer,
  context: OwnToolContext,
): Admission | Promise<Admission> {
  const decision = decideAdd(policy, wanted.config, context.client.layers.folder);
  return decision.kind === 'ask' ? admitByUser(decision, wanted, context) : decision;
}

/** The rules under which an agent chooses URLs of which no person has allowed every address. */
const CHECKS_HOSTS: ReadonlySet<string> = new Set(['ask', 'sandbox']);

/**
 * Returns the config to register for an admitted server. A user who accepts a URL accepts the host in the question, and
 * not every address to which its name may resolve; under `sandbox` no user has seen it. Therefore a name on the public internet must resolve to a public
 * address.
 */
export function acceptedConfig(config: ServerConfig, rule: string): ServerConfig {
  if (!isRemote(config) || !CHECKS_HOSTS.has(rule) || !URL.canParse(config.url)) return config;
  return isLocalHost(new URL(config.url)) ? config : { ...config, publicOnly: true };
}

/** Returns the answer to an agent whose server was refused, for a model to act on. */
export function refusalText(name: string, { rule, reason }: { rule: string; reason: string }): string {
  return `Server ${quote(name)} was not added: ${reason} (rule: ${rule}). ${ADVICE}`;
}

const ADVICE = `${REFUSAL_ADVICE} (--add-policy, --allow-command).`;

async function admitByUser(
  { rule, opens }: Extract<AddDecision, { readonly kind: 'ask' }>,
  wanted: WantedServer,
  context: OwnToolContext,
): Promise<Admission> {
  const { name, config, isPersisted, asked } = wanted;
  const question = addQuestion(name, config, asked(), { isPersisted, opens });
  const reason =
    'problem' in question
      ? question.problem
      : await refusalByUser(question.message, `adding ${name}`, context);
  return reason === undefined ? { kind: 'allow', rule } : { kind: 'refuse', rule, reason };
}
