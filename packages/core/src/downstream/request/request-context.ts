import { keyPaths, readMessage } from '@mcpmux/wire';
import type { GuardContext } from '../../guards/guard.js';
import type { Principal } from '../../guards/principal.js';
import { isRecord } from '../../base/is-record.js';
import { paramsOf } from '../../base/params.js';
import type { ClientRequest } from './client-request.js';
import type { RequestSubject } from './request-subject.js';
import { versionOf } from '../asks/server-version.js';

/** Who sends a request. */
export interface Requester {
  readonly session: number;
  readonly principal: Principal;
}

/** What guards are told of one request. */
export class RequestContext implements GuardContext {
  readonly method: string;
  readonly session: number;
  readonly principal: Principal;
  readonly server: string | undefined;
  readonly tool: string | undefined;
  readonly bytes: number;
  private parsed: Readonly<Record<string, unknown>> | undefined;
  private defined: Readonly<Record<string, unknown>> | undefined;

  constructor(
    private readonly request: ClientRequest,
    private readonly subject: RequestSubject,
    { session, principal }: Requester,
    readonly signal: AbortSignal,
  ) {
    this.method = request.method;
    this.session = session;
    this.principal = principal;
    this.server = subject.server;
    this.tool = subject.tool;
    this.bytes = request.line.length;
  }

  get serverScope(): string {
    const scope = this.subject.upstream?.scope;
    return scope === undefined || scope.isShared ? '' : scope.id;
  }

  get serverVersion(): string {
    return versionOf(this.subject.upstream);
  }

  readonly params = (): Readonly<Record<string, unknown>> => {
    this.parsed ??= paramsOf(this.request.line);
    return this.parsed;
  };

  readonly raw = (member: string): Buffer | undefined => {
    const { line } = this.request;
    const message = readMessage(line, keyPaths([[member]]));
    const span = message.kind === 'request' ? message.params.get(member) : undefined;
    return span && Buffer.from(line.subarray(span.start, span.end));
  };

  readonly definition = (): Readonly<Record<string, unknown>> | undefined => {
    const { definition } = this.subject;
    if (definition === undefined || this.defined !== undefined) return this.defined;
    const parsed: unknown = JSON.parse(definition.bytes.toString('utf8'));
    this.defined = isRecord(parsed) ? parsed : {};
    return this.defined;
  };
}
