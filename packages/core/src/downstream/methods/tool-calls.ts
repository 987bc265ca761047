import { resultLine } from '@mcpmux/wire';
import type { ExposedDefinition } from '../../catalog/exposed-definition.js';
import { routeToolCall } from '../../routing/route-tool-call.js';
import { CALL_TOOL } from '../caller/call-tool.js';
import { errorResultJson } from '../caller/tool-result.js';
import type { Exchange, TextParam } from '../request/exchange.js';
import { forward } from '../request/forward.js';
import { invalidParams } from '../request/invalid-params.js';
import { requestInCallTool } from '../request/request-in-call-tool.js';
import { bothReaders, resourceReader, taskReader } from '../request/result-reader.js';
import { whenAwake } from '../request/when-awake.js';
import { toolBlocked } from './blocked-tool.js';
import type { MethodParts } from './handler.js';
import { callOwnTool } from './own-call.js';

/** Handles `tools/call`. */
export function callTool(exchange: Exchange, parts: MethodParts): void | Promise<void> {
  const name = exchange.text('name');
  if (name === undefined) return invalidParams(exchange, 'params.name must be a string');
  const route = routeToolCall(name.text, exchange.caller.view.directory);
  switch (route.kind) {
    case 'forward':
      return forwardCall(exchange, parts, route.entry, name);
    case 'own':
      return name.text === CALL_TOOL ? callNamed(exchange, parts) : callOwnTool(exchange, name.text, parts);
    case 'blocked':
      return exchange.respond(toolBlocked(exchange.id, route.entry, route.reason));
    case 'unavailable':
      return whenAwake(exchange, route.upstream, parts.handle);
    case 'unknown':
      return invalidParams(exchange, route.message);
  }
}

function callNamed(exchange: Exchange, parts: MethodParts): void | Promise<void> {
  const inner = requestInCallTool(exchange.line);
  if ('problem' in inner) return exchange.respond(resultLine(exchange.id, errorResultJson(inner.problem)));
  exchange.readAs(inner);
  return callTool(exchange, parts);
}

function forwardCall(
  exchange: Exchange,
  parts: MethodParts,
  { upstream, definition }: ExposedDefinition,
  { span }: TextParam,
): void {
  const { caller, params } = exchange;
  const resources = resourceReader(upstream, caller.view.catalog);
  const readResult = params.has('task')
    ? bothReaders(
        resources,
        taskReader(upstream.name, (id) => parts.affinity.taskMade(caller, upstream, id)),
      )
    : resources;
  const edits = [{ span, bytes: definition.keyJson }];
  forward(exchange, upstream, parts, { edits, readResult, subject: definition.key });
}
