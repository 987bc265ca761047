import { quote, REFUSAL_ADVICE } from '@mcpmux/kit';
import { isLocalHost } from '@mcpmux/remote';
import type { OwnToolContext } from '../../client/caller/own-tool-handler.js';
import { isRemote, type ServerConfig } from '../../server/config/server-config.js';
import type { RedactedCommand } from '../../server/config/redact-command.js';
import { decideAdd, type AddDecision, type AddPolicy } from './add-policy.js';
import { addQuestion } from './add-question.js';
import { refusalByUser } from './ask-user.js';

/** A server that an agent wants. */
export interface WantedServer {
  readonly name: string;
  readonly config: ServerConfig;
  /** True if the server is stored for later starts. */
  readonly isPersisted: boolean;
  /** As a user is to see it. */
  readonly asked: () => RedactedCommand;
}

/** The decision about a server, and its rule. */
export type Admission = Exclude<AddDecision, { readonly kind: 'ask' }>;

/**
 * Applies the policy to what an agent wants to start, asking the user of the calling client where it says so. What need
 * not be asked is decided at once, so that calls that follow each other find what the one before has done.
 *
 * @throws MuxError CANCELLED when the call is cancelled while the user is asked
 */
export function admit(
  policy: AddPolicy,
  wanted: WantedServer,
  context: OwnToolContext,
): Admission | Promise<Admission> {
  const decision = decideAdd(policy, wanted.config);
  return decision.kind === 'ask' ? admitByUser(decision.rule, wanted, context) : decision;
}

/**
 * The config that is registered of an admitted server. Who accepts a url accepts the host that he reads, and not what its
 * name leads to, now or another time: a name of the public internet must lead there.
 */
export function acceptedConfig(config: ServerConfig, rule: string): ServerConfig {
  if (!isRemote(config) || rule !== 'ask' || !URL.canParse(config.url)) return config;
  return isLocalHost(new URL(config.url)) ? config : { ...config, isPublic: true };
}

/** The answer to an agent that may not have a server, for a model to act on. */
export function refusalText(name: string, { rule, reason }: { rule: string; reason: string }): string {
  return `Server ${quote(name)} was not added: ${reason} (rule: ${rule}). ${ADVICE}`;
}

const ADVICE = `${REFUSAL_ADVICE} (--add-policy, --allow-command).`;

async function admitByUser(rule: string, wanted: WantedServer, context: OwnToolContext): Promise<Admission> {
  const { name, config, isPersisted, asked } = wanted;
  const question = addQuestion(name, config, asked(), isPersisted);
  const reason =
    'problem' in question
      ? question.problem
      : await refusalByUser(question.message, `adding ${name}`, context);
  return reason === undefined ? { kind: 'allow', rule } : { kind: 'refuse', rule, reason };
}
