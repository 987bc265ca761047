import { isRecord } from '@mcpmux/kit';
import { splitTaskId } from '@mcpmux/namespace';

import { type ParamSpans, paramText } from '@mcpmux/wire';
import type { KnownUris } from '../catalog-view.js';
import type { Upstream } from '../../server/upstream.js';
import { routeNamed, type ServerDirectory } from './route-named.js';
import { routeResource } from './route-resource.js';
import { localTaskId } from '../../server/client-task-id.js';

/** A client's request or notification, reduced to the data needed to route it. */
export interface ClientMessage {
  readonly line: Buffer;
  readonly method: string;
  readonly params: ParamSpans;
}

/** The server for a message with an unknown method, and the values to translate in the message. */
export interface UnknownMethodRoute {
  readonly upstream: Upstream;
  /** The server's own name, URI or task id, by its key in `params`. */
  readonly localValues: ReadonlyMap<'name' | 'uri' | 'taskId', string>;
}

const NO_LOCAL_VALUES: UnknownMethodRoute['localValues'] = new Map();

/**
 * Finds the server for an unknown method by the task, name or URI in the params. If these identify none, returns the
 * only server that declares an extension with the method's prefix, or the only running server if none declares one.
 */
export function routeOther(
  message: ClientMessage,
  directory: ServerDirectory,
  knownUris: KnownUris,
): UnknownMethodRoute | undefined {
  const textAt = (path: string): string | undefined => paramText(message.line, message, path);
  return (
    routeByTask(textAt('taskId'), directory) ??
    routeByName(textAt('name'), directory) ??
    routeByUri(textAt('uri'), directory, knownUris) ??
    routeByMethod(message.method, directory)
  );
}

function routeByTask(id: string | undefined, directory: ServerDirectory): UnknownMethodRoute | undefined {
  const parts = id === undefined ? undefined : splitTaskId(id);
  const upstream = parts && directory.findServer(parts.server);
  return upstream && { upstream, localValues: new Map([['taskId', localTaskId(upstream, id ?? '')]]) };
}

function routeByName(name: string | undefined, directory: ServerDirectory): UnknownMethodRoute | undefined {
  if (name === undefined) return undefined;
  const { tools, prompts } = directory.snapshot();
  const match = [
    routeNamed(name, 'tool', tools, directory),
    routeNamed(name, 'prompt', prompts, directory),
  ].find((route) => route.kind === 'forward');
  if (match === undefined) return undefined;
  const { upstream, definition } = match.entry;
  return { upstream, localValues: new Map([['name', definition.key]]) };
}

function routeByUri(
  uri: string | undefined,
  directory: ServerDirectory,
  knownUris: KnownUris,
): UnknownMethodRoute | undefined {
  const route = uri === undefined ? undefined : routeResource(uri, directory.snapshot(), knownUris);
  if (route?.kind !== 'owner') return undefined;
  const { upstream, uri: localUri } = route.resource;
  return { upstream, localValues: new Map([['uri', localUri]]) };
}

function routeByMethod(method: string, directory: ServerDirectory): UnknownMethodRoute | undefined {
  const running = directory.snapshot().upstreams.filter(({ connection }) => connection !== undefined);
  const prefix = method.split('/', 1)[0] ?? '';
  const declaring = running.filter((upstream) =>
    extensionsOf(upstream).some((name) => hasMethodPrefix(name, prefix)),
  );
  const [only] = declaring.length > 0 ? declaring : running;
  const isUnique = (declaring.length > 0 ? declaring : running).length === 1;
  return only !== undefined && isUnique ? { upstream: only, localValues: NO_LOCAL_VALUES } : undefined;
}

function extensionsOf({ identity }: Upstream): readonly string[] {
  const { extensions, experimental } = identity?.capabilities ?? {};
  return [extensions, experimental].flatMap((names) => (isRecord(names) ? Object.keys(names) : []));
}

/** True if the extension's methods have this prefix, such as `skills` for `io.modelcontextprotocol/skills`. */
function hasMethodPrefix(extension: string, prefix: string): boolean {
  return extension === prefix || extension.split('/').includes(prefix);
}
