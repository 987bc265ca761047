import type { OwnToolContext } from '../../downstream/caller/own-tool-handler.js';
import type { ServerConfig } from '../../upstream/config/server-config.js';
import type { RedactedCommand } from '../../upstream/config/redact-command.js';
import { decideAdd, type AddPolicy } from './add-policy.js';
import { addQuestion } from './add-question.js';
import { refusalByUser } from './ask-user.js';

/** A server that an agent wants. */
export interface WantedServer {
  readonly name: string;
  readonly config: ServerConfig;
  /** It is to be stored for later starts. */
  readonly isPersisted: boolean;
  /** As a user is to see it. */
  readonly asked: () => RedactedCommand;
}

/** Whether it may be had, and by which rule. */
export type Admission =
  | { readonly isAdmitted: true; readonly rule: string }
  | { readonly isAdmitted: false; readonly rule: string; readonly reason: string };

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
  switch (decision.kind) {
    case 'allow':
      return { isAdmitted: true, rule: decision.rule };
    case 'refuse':
      return { isAdmitted: false, rule: decision.rule, reason: decision.reason };
    case 'ask':
      return admitByUser(decision.rule, wanted, context);
  }
}

/** The answer to an agent that may not have a server, for a model to act on. */
export function refusalText(
  { name }: WantedServer,
  { rule, reason }: { rule: string; reason: string },
): string {
  return `Server ${JSON.stringify(name)} was not added: ${reason} (rule: ${rule}). ${ADVICE}`;
}

const ADVICE =
  'Do not try to get around it. Tell the user what you need the server for: whoever set mcpmux up can allow it ' +
  '(--add-policy, --allow-command).';

async function admitByUser(rule: string, wanted: WantedServer, context: OwnToolContext): Promise<Admission> {
  const { name, config, isPersisted, asked } = wanted;
  const question = addQuestion(name, config, asked(), isPersisted);
  const reason =
    'problem' in question
      ? question.problem
      : await refusalByUser(question.message, `adding ${name}`, context);
  return reason === undefined ? { isAdmitted: true, rule } : { isAdmitted: false, rule, reason };
}
