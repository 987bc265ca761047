import { routeNamed } from '../../catalog/routing/route-named.js';
import type { Exchange } from '../request/exchange.js';
import { forward } from '../request/forward.js';
import { resourceEdits } from '../request/result-reader.js';
import { whenAwake } from '../request/when-awake.js';
import type { MethodParts } from './handler.js';

/** Handles `prompts/get`. */
export function getPrompt(exchange: Exchange, parts: MethodParts): void | Promise<void> {
  const name = exchange.text('name');
  if (name === undefined) return exchange.refuseParams('params.name must be a string');
  const { directory } = exchange.caller.view;
  const route = routeNamed(name.text, 'prompt', directory.snapshot().prompts, directory);
  switch (route.kind) {
    case 'forward': {
      const { upstream, definition } = route.entry;
      return forward(exchange, upstream, parts, {
        edits: [{ span: name.span, bytes: definition.keyJson }],
        readResult: resourceEdits,
        subject: definition.key,
      });
    }
    case 'unavailable':
      return whenAwake(exchange, route.upstream, parts.handle);
    case 'unknown':
      return exchange.refuseParams(route.message);
  }
}
