import { type RawId, resultLine } from '@mcpmux/wire';
import type { ExposedDefinition } from '../../catalog/exposed-definition.js';
import type { PinReason } from '../../upstream/lists/tool-pins.js';
import { quote } from '../../routing/quote.js';
import { errorResultJson } from '../caller/tool-result.js';

const WHY: Readonly<Record<PinReason, string>> = {
  changed: 'its definition has changed since it was approved',
  new: 'it was not there when the tools of its server were approved',
  command: 'another command runs under the name of its server than the one that was approved',
};

/** The answer to a call of a tool that is not as it was approved. What its definition says now is not in it. */
export function toolBlocked(
  id: RawId,
  { upstream, definition }: ExposedDefinition,
  reason: PinReason,
): Buffer {
  const server = JSON.stringify(upstream.name);
  const text =
    `Tool ${quote(definition.key)} of server ${server} is blocked: ${WHY[reason]}. Nothing was called. ` +
    'Tell the user. If the user trusts the change, call ' +
    `reload_server with {"name": ${server}, "approve": true}, which approves all tools as the server has them then.`;
  return resultLine(id, errorResultJson(text));
}
