import { ErrorCode, errorLine, resultLine } from '@mcpmux/wire';
import { messageOf } from '../../base/errors.js';
import { paramsOf } from '../../base/params.js';
import type { OwnToolContext } from '../caller/own-tool-handler.js';
import { errorResultJson } from '../caller/tool-result.js';
import type { Exchange } from '../request/exchange.js';
import type { MethodParts } from './handler.js';

/** Calls one of mcpmux's own tools. Never rejects. */
export async function callOwnTool(
  exchange: Exchange,
  name: string,
  { ownTools }: Pick<MethodParts, 'ownTools'>,
): Promise<void> {
  const { id, caller, line } = exchange;
  // Any own tool makes its caller the primary client: servers that start from now on are told its capabilities.
  caller.setPrimary();
  const context = { signal: signalOf(exchange), progress: progressOf(exchange), client: caller.forTools };
  exchange.release();
  try {
    const result = await ownTools.call(name, paramsOf(line)['arguments'], context);
    // Hosts read their tools right after the answer: those of now are to be there.
    if (ownTools.changesLists(name)) await caller.listsUpToDate();
    exchange.respond(resultLine(id, result));
  } catch (error) {
    // A defect of ours: still an answer, because nobody may hang.
    const message = `${name} failed inside mcpmux: ${messageOf(error)}`;
    exchange.respond(errorLine(id, { code: ErrorCode.InternalError, message }));
  }
}

function signalOf(exchange: Exchange): AbortSignal {
  const controller = new AbortController();
  exchange.onAbort(({ kind }) => {
    controller.abort();
    if (kind !== 'deadline') return;
    const text = 'mcpmux is shutting down; the call was cancelled.';
    exchange.respond(resultLine(exchange.id, errorResultJson(text)));
  });
  return controller.signal;
}

/** Sends progress with the client's token, if the client has given one. */
function progressOf(exchange: Exchange): OwnToolContext['progress'] {
  const span = exchange.params.get('_meta.progressToken');
  if (span === undefined) return () => undefined;
  const token = exchange.line.toString('utf8', span.start, span.end);
  let count = 0;
  return (message) => {
    count += 1;
    const params = `{"progressToken":${token},"progress":${count},"message":${JSON.stringify(message)}}`;
    exchange.progress(
      Buffer.from(`{"jsonrpc":"2.0","method":"notifications/progress","params":${params}}\n`),
    );
  };
}
