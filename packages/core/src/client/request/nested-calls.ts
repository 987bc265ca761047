import { isRecord, paramsOf } from '@mcpmux/kit';
import { inOnePiece, type OutgoingLine, readId, readMessage, requestLine } from '@mcpmux/wire';
import type { ExposedDefinition } from '../../catalog/exposed-definition.js';
import { LineAnswer } from '../../guards/answers.js';
import type { CallableTool, GuardAnswer, NestedCallOptions, NestedCalls } from '../../guards/guard.js';
import { parsedDefinition } from '../../server/lists/definition.js';
import { CLIENT_PARAM_PATHS } from '../caller/client-paths.js';
import { Exchange, GONE, type ExchangeOwner } from './exchange.js';

/** The `_meta` keys of the client's request that must not be copied to nested calls. */
const REQUEST_ONLY_KEYS: ReadonlySet<string> = new Set([
  'progressToken',
  'io.modelcontextprotocol/related-task',
]);

/**
 * The calls that guards make within one request. Each is an exchange of the same caller, but the guard gets its answer.
 */
export class NestedExchanges implements NestedCalls {
  readonly sendProgress: (message: string) => void;
  /** The `_meta` of the client's request, without its request-specific keys. Each call has its own progress token. */
  private readonly meta: Readonly<Record<string, unknown>>;
  private callCount = 0;

  /** @param handleWithGuards runs an exchange through its guards and then dispatches it by its method */
  constructor(
    private readonly outer: Exchange,
    private readonly handleWithGuards: (exchange: Exchange) => void,
    private readonly signal: AbortSignal,
  ) {
    this.sendProgress = progressSenderFor(outer);
    const { _meta: meta } = paramsOf(outer.line);
    const members = Object.entries(isRecord(meta) ? meta : {});
    this.meta = Object.fromEntries(members.filter(([key]) => !REQUEST_ONLY_KEYS.has(key)));
  }

  *listTools(): Iterable<CallableTool> {
    for (const entry of this.outer.caller.view.directory.snapshot().tools.entries) yield callableTool(entry);
  }

  findTool(name: string): CallableTool | undefined {
    const entry = this.outer.caller.view.directory.snapshot().tools.byName.get(name);
    return entry && callableTool(entry);
  }

  async call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    { signal = this.signal, onProgress }: NestedCallOptions = {},
  ): Promise<GuardAnswer> {
    const endController = new AbortController();
    const end = (): void => endController.abort();
    const signals = [signal, this.signal];
    for (const source of signals) source.addEventListener('abort', end, { once: true });
    if (signals.some(({ aborted }) => aborted)) end();
    try {
      return await this.awaitAnswer(name, args, endController.signal, onProgress);
    } finally {
      for (const source of signals) source.removeEventListener('abort', end);
    }
  }

  private awaitAnswer(
    name: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    onProgress: NestedCallOptions['onProgress'],
  ): Promise<GuardAnswer> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(new Error('the call was cancelled'));
      this.callCount += 1;
      const { outer, meta, callCount } = this;
      const params = { name, arguments: args, _meta: { ...meta, progressToken: callCount } };
      const exchange = nestedExchange(callCount, params, {
        caller: outer.caller,
        get asker() {
          return outer.asker;
        },
        onAnswer: (_, line) => resolve(new LineAnswer(line)),
        sendRelated: (line) => onProgress?.(progressText(line)),
      });
      signal.addEventListener('abort', () => {
        exchange.abort(GONE);
        reject(new Error('the call was cancelled'));
      });
      this.handleWithGuards(exchange);
    });
  }
}

function nestedExchange(count: number, params: object, owner: ExchangeOwner): Exchange {
  const line = requestLine(count, 'tools/call', params).subarray(0, -1);
  const message = readMessage(line, CLIENT_PARAM_PATHS);
  const parsedId = message.kind === 'request' ? readId(line, message.id) : undefined;
  if (message.kind !== 'request' || parsedId === undefined || 'problem' in parsedId)
    throw new Error('the nested call is not a request');
  const exchange = new Exchange(owner, parsedId.id, line, message);
  exchange.isNested = true;
  // The HTTP headers describe only the client's own request, so this call is not checked against them.
  exchange.isReplaced = true;
  return exchange;
}

function callableTool({ qualifiedName, definition }: ExposedDefinition): CallableTool {
  return {
    name: qualifiedName,
    get definition() {
      return parsedDefinition(definition);
    },
  };
}

/** Returns the steps and the message of a progress notification as one text, such as `2/5 Indexing`. */
function progressText(line: OutgoingLine): string | undefined {
  const { message, progress, total } = paramsOf(inOnePiece(line));
  const steps = [progress, total].filter((step) => typeof step === 'number').join('/');
  const text = [steps, message].filter((part) => typeof part === 'string' && part !== '').join(' ');
  return text === '' ? undefined : text;
}

/** Returns a function that sends progress with the client's token or, without a token, does nothing. */
export function progressSenderFor(exchange: Exchange): (message: string) => void {
  const span = exchange.params.get('_meta.progressToken');
  if (span === undefined) return () => undefined;
  const token = exchange.line.toString('utf8', span.start, span.end);
  let count = 0;
  return (message) => {
    count += 1;
    const params = `{"progressToken":${token},"progress":${count},"message":${JSON.stringify(message)}}`;
    exchange.sendProgress(
      Buffer.from(`{"jsonrpc":"2.0","method":"notifications/progress","params":${params}}\n`),
    );
  };
}
