import { escapeInvisible, MuxError, REFUSAL_ADVICE } from '@mcpmux/kit';
import type { OwnToolContext } from '../../client/caller/own-tool-handler.js';
import type { AddPolicy } from './add-policy.js';
import { askUser } from './ask-user.js';

/**
 * Checks that an agent may use other instances. The policy must be `allow` or `ask`, because an instance's tools run
 * with the user's rights.
 *
 * @throws MuxError REFUSED
 */
export function requireInstanceAccess({ mode }: AddPolicy): void {
  if (mode === 'allow' || mode === 'ask') return;
  const reason = 'agents may not use other instances of mcpmux, since they may not add servers freely';
  throw new MuxError('REFUSED', `Refused: ${reason} (rule: ${mode}). ${REFUSAL_ADVICE} (--add-policy).`);
}

/**
 * Asks the user about a connection if the policy requires it.
 *
 * @throws MuxError REFUSED, CANCELLED
 */
export async function requireConnectionApproval(
  { mode }: AddPolicy,
  { pid, root }: { readonly pid: number; readonly root: string },
  context: OwnToolContext,
): Promise<void> {
  if (mode !== 'ask') return;
  const message = [
    `mcpmux: the agent wants to use the tools of another mcpmux (process ${pid}, in ${escapeInvisible(JSON.stringify(root))}).`,
    'Accept if the agent may use all tools of that mcpmux.',
  ].join('\n');
  const reason = await askUser(message, `connecting to process ${pid}`, context);
  if (reason === undefined) return;
  throw new MuxError(
    'REFUSED',
    `The instance was not connected: ${reason} (rule: ask). ${REFUSAL_ADVICE} (--add-policy).`,
  );
}
