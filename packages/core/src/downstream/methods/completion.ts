import { type Edit, resultLine } from '@mcpmux/wire';
import type { CatalogView } from '../../catalog/catalog-view.js';
import { routeNamed, type ServerDirectory } from '../../routing/route-named.js';
import { routeTemplate } from '../../routing/route-resource.js';
import type { Upstream } from '../../upstream/upstream.js';
import { invalidParams, textParam, type ClientRequest, type Outcome } from '../request/client-request.js';
import { unavailable } from '../request/failure-answer.js';
import type { Forwarder } from '../request/forwarder.js';

/** What a server without completions would say if it could. */
const NOTHING_TO_COMPLETE = '{"completion":{"values":[]}}';

/** Carries out `completion/complete`, for an argument of a prompt or a variable of a resource template. */
export function complete(
  request: ClientRequest,
  forwarder: Forwarder,
  directory: ServerDirectory,
  catalog: CatalogView,
): Outcome {
  const name = textParam(request, 'ref.name');
  const uri = textParam(request, 'ref.uri');
  if (name !== undefined) {
    const route = routeNamed(name.text, 'prompt', directory.snapshot().prompts, directory);
    if (route.kind === 'unknown') return invalidParams(request.id, route.message);
    if (route.kind === 'unavailable')
      return { answer: unavailable(request.id, route.upstream), notRunning: route.upstream };
    const { upstream, definition } = route.entry;
    return ask(request, forwarder, upstream, [{ span: name.span, bytes: definition.keyJson }]);
  }
  if (uri === undefined) return invalidParams(request.id, 'params.ref must have a name or a uri');
  const route = routeTemplate(uri.text, directory.snapshot(), catalog.learned);
  if (route.kind !== 'owner') return { answer: resultLine(request.id, NOTHING_TO_COMPLETE) };
  const { upstream, uri: own } = route.resource;
  const edits = own === uri.text ? [] : [{ span: uri.span, bytes: JSON.stringify(own) }];
  return ask(request, forwarder, upstream, edits);
}

function ask(
  request: ClientRequest,
  forwarder: Forwarder,
  upstream: Upstream,
  edits: readonly Edit[],
): Outcome {
  const { identity, connection } = upstream;
  // The oldest revision has completions and no capability for them.
  const cannot =
    connection !== undefined &&
    identity?.capabilities['completions'] === undefined &&
    identity?.protocolVersion !== '2024-11-05';
  return cannot
    ? { answer: resultLine(request.id, NOTHING_TO_COMPLETE) }
    : forwarder.forward(request, upstream, { edits });
}
