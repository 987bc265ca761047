import type { CatalogView } from '../../catalog/catalog-view.js';
import { routeNamed, type ServerDirectory } from '../../routing/route-named.js';
import { invalidParams, textParam, type ClientRequest, type Outcome } from '../request/client-request.js';
import { unavailable } from '../request/failure-answer.js';
import type { Forwarder } from '../request/forwarder.js';
import { resourceReader } from '../request/result-reader.js';

/** Carries out `prompts/get`. */
export function getPrompt(
  request: ClientRequest,
  forwarder: Forwarder,
  directory: ServerDirectory,
  catalog: CatalogView,
): Outcome {
  const name = textParam(request, 'name');
  if (name === undefined) return invalidParams(request.id, 'params.name must be a string');
  const route = routeNamed(name.text, 'prompt', directory.snapshot().prompts, directory);
  switch (route.kind) {
    case 'forward': {
      const { upstream, definition } = route.entry;
      return forwarder.forward(request, upstream, {
        edits: [{ span: name.span, bytes: definition.keyJson }],
        readResult: resourceReader(upstream, catalog),
        subject: definition.key,
      });
    }
    case 'unavailable':
      return { answer: unavailable(request.id, route.upstream), notRunning: route.upstream };
    case 'unknown':
      return invalidParams(request.id, route.message);
  }
}
