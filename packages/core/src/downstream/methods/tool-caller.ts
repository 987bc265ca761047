import { resultLine, type Span } from '@mcpmux/wire';
import type { CatalogView } from '../../catalog/catalog-view.js';
import type { ExposedDefinition } from '../../catalog/exposed-definition.js';
import { routeToolCall, type ToolDirectory } from '../../routing/route-tool-call.js';
import type { Upstream } from '../../upstream/upstream.js';
import { paramsOf } from '../../base/params.js';
import { CALL_TOOL } from '../caller/call-tool.js';
import {
  invalidParams,
  textParam,
  type ClientRequest,
  type Outcome,
  type TextParam,
} from '../request/client-request.js';
import { toolBlocked } from './blocked-tool.js';
import { toolUnavailable } from '../request/failure-answer.js';
import type { CallOwner } from '../request/forwarded-call.js';
import type { Forwarder } from '../request/forwarder.js';
import { requestInCallTool } from '../request/request-in-call-tool.js';
import { OwnCall, type OwnCallOwner } from './own-call.js';
import type { OwnToolHandler } from '../caller/own-tool-handler.js';
import { bothReaders, resourceReader, taskReader } from '../request/result-reader.js';
import { errorResultJson } from '../caller/tool-result.js';

/** What a {@link ToolCaller} works with. */
export interface ToolCallerComponents {
  readonly directory: ToolDirectory;
  readonly catalog: CatalogView;
  readonly ownTools: OwnToolHandler;
}

/** What a {@link ToolCaller} tells the session that it works for. */
export interface ToolCallerOwner extends CallOwner, OwnCallOwner {
  /** The session made this task of a server, by the id that clients know. */
  ownsTask(upstream: Upstream, id: string): void;
  /** The client manages servers: those that start now are told what it can do. */
  setPrimary(): void;
}

/** Carries out `tools/call` requests of one session. */
export class ToolCaller {
  constructor(
    private readonly owner: ToolCallerOwner,
    private readonly forwarder: Forwarder,
    private readonly components: ToolCallerComponents,
  ) {}

  call(request: ClientRequest): Outcome {
    const name = textParam(request, 'name');
    if (name === undefined) return invalidParams(request.id, 'params.name must be a string');
    const route = routeToolCall(name.text, this.components.directory);
    switch (route.kind) {
      case 'own':
        return name.text === CALL_TOOL ? this.callNamed(request) : this.callOwn(request, name.text);
      case 'forward':
        return this.forward(request, route.entry, name);
      case 'blocked':
        return { answer: toolBlocked(request.id, route.entry, route.reason) };
      case 'unavailable':
        return { answer: toolUnavailable(request.id, route.upstream), notRunning: route.upstream };
      case 'unknown':
        return invalidParams(request.id, route.message);
    }
  }

  private callNamed(request: ClientRequest): Outcome {
    const inner = requestInCallTool(request);
    return 'problem' in inner
      ? { answer: resultLine(request.id, errorResultJson(inner.problem)) }
      : this.call(inner);
  }

  private callOwn({ id, line, params }: ClientRequest, name: string): Outcome {
    // Any own tool makes its caller the primary client: servers that start from now on are told its capabilities.
    this.owner.setPrimary();
    const args = paramsOf(line)['arguments'];
    const progressToken = params.get('_meta.progressToken');
    const call = new OwnCall(this.owner, id, progressToken && textAt(line, progressToken));
    // Not before the request stands in the table of those in flight.
    queueMicrotask(() => void call.run(this.components.ownTools, name, args));
    return { inFlight: call };
  }

  private forward(
    request: ClientRequest,
    { upstream, definition }: ExposedDefinition,
    { span }: TextParam,
  ): Outcome {
    const tasks = request.params.has('task')
      ? taskReader(upstream.name, (id) => this.owner.ownsTask(upstream, id))
      : undefined;
    return this.forwarder.forward(request, upstream, {
      edits: [{ span, bytes: definition.keyJson }],
      readResult: bothReaders(resourceReader(upstream, this.components.catalog), tasks),
      subject: definition.key,
    });
  }
}

function textAt(line: Buffer, span: Span): string {
  return line.toString('utf8', span.start, span.end);
}
