import { resultBytesLine } from '@mcpmux/wire';
import type { ListKind } from '../../upstream/lists/list-kind.js';
import { invalidParams } from '../request/invalid-params.js';
import type { Handler } from './handler.js';

/** Answers requests for pages of a list. */
export function listHandler(kind: ListKind): Handler {
  return (exchange) => {
    const cursor = exchange.text('cursor')?.text;
    const isNoText = cursor === undefined && exchange.params.has('cursor');
    const page = isNoText ? undefined : exchange.caller.view.catalog.page(kind, cursor);
    if (page === undefined) return invalidParams(exchange, 'Unknown cursor: begin again without one');
    exchange.respond(resultBytesLine(exchange.id, page));
  };
}
