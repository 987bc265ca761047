import { splitQualifiedName, splitTaskId } from '@mcpmux/namespace';

import type { CatalogView } from '../../catalog/catalog-view.js';
import type { NamedList } from '../../catalog/named-list.js';
import { OWN_SERVER } from '../../catalog/own-tool.js';
import { routeNamed, type NamedRoute } from '../../routing/route-named.js';
import { routeOther } from '../../routing/route-other.js';
import type { RequestRoute } from '../../routing/route-request.js';
import { routeResource, routeTemplate, type ResourceRoute } from '../../routing/route-resource.js';
import type { ToolDirectory } from '../../routing/route-tool-call.js';
import type { Definition } from '../../upstream/lists/definition.js';
import type { Upstream } from '../../upstream/upstream.js';
import { textParam, type ClientRequest } from './client-request.js';

/** What a request is about. Empty when it is about no server, or nobody knows about which. */
export interface RequestSubject {
  readonly server?: string;
  readonly upstream?: Upstream;
  /** As its server calls it. */
  readonly tool?: string;
  readonly definition?: Definition;
}

/** What a subject is looked up in. */
export interface SubjectSources {
  readonly directory: ToolDirectory;
  readonly catalog: CatalogView;
}

const NOTHING: RequestSubject = {};
const NAMES_URI: ReadonlySet<RequestRoute['kind']> = new Set(['read-resource', 'subscribe', 'unsubscribe']);

/** Finds out what a request is about. Nothing happens to it. */
export function subjectOf(
  request: ClientRequest,
  kind: RequestRoute['kind'],
  sources: SubjectSources,
): RequestSubject {
  const { directory, catalog } = sources;
  const text = (path: string): string | undefined => textParam(request, path)?.text;
  if (kind === 'call-tool') return ofTool(text('name'), directory);
  if (kind === 'get-prompt') return ofPrompt(text('name'), directory);
  if (kind === 'complete') return ofCompletion(text('ref.name'), text('ref.uri'), sources);
  if (NAMES_URI.has(kind)) {
    const uri = text('uri');
    return uri === undefined
      ? NOTHING
      : ofResource(routeResource(uri, directory.snapshot(), catalog.learned));
  }
  if (kind === 'task') return ofServer(directory.findServer(splitTaskId(text('taskId') ?? '')?.server ?? ''));
  return kind === 'other' ? ofServer(routeOther(request, directory, catalog.learned)?.upstream) : NOTHING;
}

function ofTool(name: string | undefined, directory: ToolDirectory): RequestSubject {
  if (name === undefined) return NOTHING;
  if (directory.isOwnTool(name)) return { server: OWN_SERVER, tool: name };
  const { tools } = directory.snapshot();
  return ofNamed(name, routeNamed(name, 'tool', tools, directory), tools);
}

function ofPrompt(name: string | undefined, directory: ToolDirectory): RequestSubject {
  if (name === undefined) return NOTHING;
  const { prompts } = directory.snapshot();
  return ofNamed(name, routeNamed(name, 'prompt', prompts, directory), prompts);
}

function ofNamed(name: string, route: NamedRoute, { byName }: NamedList): RequestSubject {
  switch (route.kind) {
    case 'forward':
      return ofEntry(route.entry);
    case 'unavailable': {
      const entry = byName.get(name);
      if (entry !== undefined) return ofEntry(entry);
      const local = splitQualifiedName(name)?.local;
      return { ...ofServer(route.upstream), ...(local !== undefined && { tool: local }) };
    }
    case 'unknown':
      return NOTHING;
  }
}

function ofEntry({
  upstream,
  definition,
}: {
  readonly upstream: Upstream;
  readonly definition: Definition;
}): RequestSubject {
  return { ...ofServer(upstream), tool: definition.key, definition };
}

function ofCompletion(
  name: string | undefined,
  uri: string | undefined,
  { directory, catalog }: SubjectSources,
): RequestSubject {
  if (name !== undefined) return ofPrompt(name, directory);
  if (uri === undefined) return NOTHING;
  return ofResource(routeTemplate(uri, directory.snapshot(), catalog.learned));
}

function ofResource(route: ResourceRoute): RequestSubject {
  return route.kind === 'owner' ? ofServer(route.resource.upstream) : NOTHING;
}

function ofServer(upstream: Upstream | undefined): RequestSubject {
  return upstream === undefined ? NOTHING : { server: upstream.name, upstream };
}
