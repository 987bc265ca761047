import { MuxError } from '../errors.js';
import type { OwnToolContext } from '../downstream/own-tool-handler.js';
import type { ServerConfig } from '../upstream/server-config.js';
import type { ShownCommand } from '../upstream/shown-command.js';
import { decideAdd, type AddPolicy } from './add-policy.js';
import { addQuestion } from './add-question.js';

/** A server that an agent wants. */
export interface WantedServer {
  readonly name: string;
  readonly config: ServerConfig;
  readonly shown: ShownCommand;
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
  const reason = await refusalByUser(wanted, context);
  return reason === undefined ? { isAdmitted: true, rule } : { isAdmitted: false, rule, reason };
}

/** Why the user's client does not let the server be added; `undefined` when the user does. */
async function refusalByUser(
  { name, config, shown }: WantedServer,
  { client, signal, progress }: OwnToolContext,
): Promise<string | undefined> {
  if (!client.takesForms)
    return 'the user has to be asked, and the client cannot ask: it has not declared the capability elicitation';
  const question = addQuestion(name, config, shown);
  if ('problem' in question) return question.problem;
  progress(`asking the user whether ${name} may be started`);
  const answer = await client.ask(
    'elicitation/create',
    { message: question.message, requestedSchema: { type: 'object', properties: {} } },
    signal,
  );
  if (signal.aborted) throw new MuxError('CANCELLED', `Adding ${name} was cancelled.`);
  if ('problem' in answer) return `the user could not be asked: ${answer.problem}`;
  switch (answer.result['action']) {
    case 'accept':
      return undefined;
    case 'decline':
      return 'the user declined it';
    default:
      return 'the user gave no answer';
  }
}
