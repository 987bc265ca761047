import { MuxError } from '@mcpmux/kit';
import type { OwnToolContext } from '../../client/caller/own-tool-handler.js';

const CANNOT_ASK_REASON =
  'mcpmux must ask the user, but the client has not declared the capability elicitation';

/**
 * Asks the user of the calling client. Resolves to the reason for a refusal, or to `undefined` if the user agrees.
 *
 * @param subject the action in question, for progress and error messages, such as `adding x`
 * @throws MuxError CANCELLED if the call is cancelled in the meantime
 */
export async function askUser(
  message: string,
  subject: string,
  { client, signal, reportProgress }: OwnToolContext,
): Promise<string | undefined> {
  if (!client.takesForms) return CANNOT_ASK_REASON;
  reportProgress(`asking the user about ${subject}`);
  const form = { message, requestedSchema: { type: 'object', properties: {} } };
  const answer = await client.elicit(form, signal);
  if (signal.aborted)
    throw new MuxError('CANCELLED', `The call was cancelled while the user was asked about ${subject}.`);
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
