import type { Edit } from '@mcpmux/wire';
import type { CatalogView } from '../../catalog/catalog-view.js';
import type { OwnedResource } from '../../catalog/resource-names.js';
import type { ServerDirectory } from '../../routing/route-named.js';
import { quote } from '../../routing/quote.js';
import { routeResource, type ResourceRoute } from '../../routing/route-resource.js';
import {
  invalidParams,
  textParam,
  type ClientRequest,
  type Outcome,
  type TextParam,
} from '../request/client-request.js';
import type { CallOwner } from '../request/forwarded-call.js';
import type { Forwarder } from '../request/forwarder.js';
import { resourceReader } from '../request/result-reader.js';
import { FallbackRead } from '../request/fallback-read.js';
import type { Subscriptions } from './subscriptions.js';

/** What {@link ResourceRequests} work with. */
export interface ResourceComponents {
  readonly directory: ServerDirectory;
  readonly catalog: CatalogView;
  readonly subscriptions: Subscriptions;
}

/** Carries out the requests of one session that name a resource. */
export class ResourceRequests {
  constructor(
    private readonly owner: CallOwner,
    private readonly forwarder: Forwarder,
    private readonly components: ResourceComponents,
  ) {}

  read(request: ClientRequest): Outcome {
    return this.routed(request, (route, uri) => {
      if (route.kind === 'owner') return this.readAt(request, uri, route.resource);
      const { id, line, idSpan, params } = request;
      const search = new FallbackRead(this.owner, this.components.catalog, {
        id,
        line,
        idSpan,
        progressToken: params.get('_meta.progressToken'),
      });
      const answer = search.start(route.upstreams);
      return answer === undefined ? { inFlight: search } : { answer };
    });
  }

  subscribe(request: ClientRequest): Outcome {
    return this.routed(request, (route, uri) => {
      const { subscriptions } = this.components;
      const resource = owned(route, uri);
      return subscriptions.subscribe(this.owner, resource, request, (agreed) =>
        this.forwarder.forward(request, resource.upstream, {
          edits: uriEdit(uri, resource),
          readResult: () => {
            agreed();
            return [];
          },
        }),
      );
    });
  }

  unsubscribe(request: ClientRequest): Outcome {
    return this.routed(request, (route, uri) => {
      const resource = owned(route, uri);
      return this.components.subscriptions.unsubscribe(this.owner, resource, request, () =>
        this.forwarder.forward(request, resource.upstream, { edits: uriEdit(uri, resource) }),
      );
    });
  }

  private readAt(request: ClientRequest, uri: TextParam, resource: OwnedResource): Outcome {
    const { upstream } = resource;
    return this.forwarder.forward(request, upstream, {
      edits: uriEdit(uri, resource),
      readResult: resourceReader(upstream, this.components.catalog),
      subject: resource.uri,
    });
  }

  private routed(
    request: ClientRequest,
    carryOut: (route: Exclude<ResourceRoute, { kind: 'unknown' }>, uri: TextParam) => Outcome,
  ): Outcome {
    const { directory, catalog } = this.components;
    const uri = textParam(request, 'uri');
    if (uri === undefined) return invalidParams(request.id, 'params.uri must be a string');
    const route = routeResource(uri.text, directory.snapshot(), catalog.learned);
    if (route.kind !== 'unknown') return carryOut(route, uri);
    const message = `Resource ${quote(uri.text)} not found: no server that runs has resources`;
    return invalidParams(request.id, message, { uri: uri.text });
  }
}

/** Subscriptions are never tried out on several servers: the likeliest one says whether it has such a resource. */
function owned(route: Exclude<ResourceRoute, { kind: 'unknown' }>, uri: TextParam): OwnedResource {
  if (route.kind === 'owner') return route.resource;
  const [likeliest] = route.upstreams;
  if (likeliest === undefined) throw new Error('a route without candidates');
  return { upstream: likeliest, uri: uri.text };
}

function uriEdit({ text, span }: TextParam, { uri }: OwnedResource): readonly Edit[] {
  return uri === text ? [] : [{ span, bytes: JSON.stringify(uri) }];
}
