import { splitQualifiedName, splitTaskId } from '@mcpmux/namespace';

import { paramText } from '@mcpmux/wire';
import type { ExposedDefinition } from '../../catalog/exposed-definition.js';
import type { NamedList } from '../../catalog/named-list.js';
import { OWN_SERVER } from '../../catalog/own-tool.js';
import { routeNamed, type ToolDirectory } from '../../catalog/routing/route-named.js';
import { routeOther, type ClientMessage } from '../../catalog/routing/route-other.js';
import { routeResource, routeTemplate, type ResourceRoute } from '../../catalog/routing/route-resource.js';
import type { Definition } from '../../server/lists/definition.js';
import { LIST_KINDS, LISTS } from '../../server/lists/list-kind.js';
import type { Upstream } from '../../server/upstream.js';
import type { NameSources } from '../caller/caller-view.js';

/** The server that a request addresses, and the tool or prompt that it names. Empty if the server is unknown. */
export interface RequestSubject {
  readonly server?: string;
  readonly upstream?: Upstream;
  /** The local name of the tool or prompt. */
  readonly tool?: string;
  readonly definition?: Definition;
}

type TextOf = (path: string) => string | undefined;
type SubjectFinder = (text: TextOf, sources: NameSources) => RequestSubject;

const NOTHING: RequestSubject = {};
const SUBJECT_FINDERS = {
  nothing: () => NOTHING,
  tool: (text, { directory }) => toolSubject(text('name'), directory),
  prompt: (text, { directory }) => promptSubject(text('name'), directory),
  completion: (text, { directory, catalog }) => {
    const [name, uri] = [text('ref.name'), text('ref.uri')];
    if (name !== undefined) return promptSubject(name, directory);
    if (uri === undefined) return NOTHING;
    return resourceSubject(routeTemplate(uri, directory.snapshot(), catalog.knownUris));
  },
  resource: (text, { directory, catalog }) => {
    const uri = text('uri');
    if (uri === undefined) return NOTHING;
    return resourceSubject(routeResource(uri, directory.snapshot(), catalog.knownUris));
  },
  task: (text, { directory }) =>
    serverSubject(directory.findServer(splitTaskId(text('taskId') ?? '')?.server ?? '')),
} satisfies Readonly<Record<string, SubjectFinder>>;

/** The kind of a request's subject, which determines where the params name the subject. */
export type SubjectKind = keyof typeof SUBJECT_FINDERS;

/** The subject kinds of the methods that all eras share. */
const COMMON_SUBJECT_KINDS: ReadonlyMap<string, SubjectKind> = new Map<string, SubjectKind>([
  ...LIST_KINDS.map((kind) => [LISTS[kind].method, 'nothing'] as const),
  ['tools/call', 'tool'],
  ['prompts/get', 'prompt'],
  ['completion/complete', 'completion'],
  ['resources/read', 'resource'],
  ['skills/get', 'resource'],
  ['skills/list', 'nothing'],
]);

/**
 * Finds the server that a request addresses, and the tool or prompt that it names.
 *
 * @param eraKinds the subject kinds of the methods that exist only in the client's era
 */
export function subjectOf(
  request: ClientMessage,
  sources: NameSources,
  eraKinds: ReadonlyMap<string, SubjectKind>,
): RequestSubject {
  const kind = COMMON_SUBJECT_KINDS.get(request.method) ?? eraKinds.get(request.method);
  if (kind !== undefined)
    return SUBJECT_FINDERS[kind]((path) => paramText(request.line, request, path), sources);
  return serverSubject(routeOther(request, sources.directory, sources.catalog.knownUris)?.upstream);
}

function toolSubject(name: string | undefined, directory: ToolDirectory): RequestSubject {
  if (name === undefined) return NOTHING;
  if (directory.isOwnTool(name)) return { server: OWN_SERVER, tool: name };
  return namedSubject(name, 'tool', directory.snapshot().tools, directory);
}

function promptSubject(name: string | undefined, directory: ToolDirectory): RequestSubject {
  return name === undefined ? NOTHING : namedSubject(name, 'prompt', directory.snapshot().prompts, directory);
}

function namedSubject(
  name: string,
  kind: 'tool' | 'prompt',
  list: NamedList,
  directory: ToolDirectory,
): RequestSubject {
  const route = routeNamed(name, kind, list, directory);
  switch (route.kind) {
    case 'forward':
      return entrySubject(route.entry);
    case 'unavailable': {
      const entry = list.byName.get(name);
      if (entry !== undefined) return entrySubject(entry);
      const localName = splitQualifiedName(name)?.local;
      return { ...serverSubject(route.upstream), ...(localName !== undefined && { tool: localName }) };
    }
    case 'unknown':
      return NOTHING;
  }
}

function entrySubject({ upstream, definition }: ExposedDefinition): RequestSubject {
  return { ...serverSubject(upstream), tool: definition.key, definition };
}

function resourceSubject(route: ResourceRoute): RequestSubject {
  return route.kind === 'owner' ? serverSubject(route.resource.upstream) : NOTHING;
}

function serverSubject(upstream: Upstream | undefined): RequestSubject {
  return upstream === undefined ? NOTHING : { server: upstream.name, upstream };
}
