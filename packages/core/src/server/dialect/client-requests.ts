import { isRecord } from '@mcpmux/kit';
import { ErrorCode, type ParamSpans, type RpcError, stringAt } from '@mcpmux/wire';
import type { ClientProfile } from './client-profile.js';

type Capabilities = ClientProfile['capabilities'];

/** A kind of request that a server can be denied, by the capability that a client declares for it. */
export type ClientRequestKind = 'sampling' | 'elicitation' | 'roots';

const KINDS: Readonly<Record<string, ClientRequestKind>> = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
};

/** The extension of MCP Apps. */
const APPS = 'io.modelcontextprotocol/ui';
/** The type of the pages of MCP Apps. */
export const APP_TYPE = 'text/html;profile=mcp-app';

/** Returns the kind of a request of a server with this method. */
export function inputKindOf(method: string): ClientRequestKind | undefined {
  return Object.hasOwn(KINDS, method) ? KINDS[method] : undefined;
}

/** The kind of this request when it is one that is denied. */
export function deniedKind(
  method: string,
  denied: readonly ClientRequestKind[],
): ClientRequestKind | undefined {
  const kind = inputKindOf(method);
  return kind !== undefined && denied.includes(kind) ? kind : undefined;
}

/** The capabilities of a client for one server, without those that the server may not use. */
export function withoutDenied(profile: ClientProfile, denied: readonly ClientRequestKind[]): ClientProfile {
  if (denied.length === 0) return profile;
  const names: ReadonlySet<string> = new Set(denied);
  const kept = Object.entries(profile.capabilities).filter(([name]) => !names.has(name));
  return { ...profile, capabilities: Object.fromEntries(kept) };
}

/** True if a method is about a task: its params name the task instead of a tool. */
export function isTaskMethod(method: string): boolean {
  return method.startsWith('tasks/');
}

/** The result, as JSON text, for a client that has gone and cannot refuse any more; undefined where there is none. */
export function resultOfNobody(method: string): string | undefined {
  return method === 'elicitation/create' ? '{"action":"cancel"}' : undefined;
}

/**
 * Why a client cannot be asked this, or `undefined` when it can: servers must not use what a client has not declared
 * (2025-11-25, lifecycle, capability negotiation). Methods nobody has heard of are for the client to judge.
 */
export function missingCapability(
  line: Buffer,
  method: string,
  params: ParamSpans,
  capabilities: Capabilities,
): RpcError | undefined {
  switch (method) {
    case 'sampling/createMessage':
      return samplingProblem(params, capabilities['sampling']);
    case 'elicitation/create': {
      if (capabilities['elicitation'] === undefined) return undeclared(method, 'elicitation');
      const mode = params.get('mode');
      if (mode === undefined || stringAt(line, mode) !== 'url')
        return takesForms(capabilities) ? undefined : invalid('elicitation.form');
      return declares(capabilities['elicitation'], 'url') ? undefined : invalid('elicitation.url');
    }
    case 'roots/list':
      return capabilities['roots'] === undefined ? undeclared(method, 'roots') : undefined;
    case 'tasks/get':
    case 'tasks/result':
    case 'tasks/list':
    case 'tasks/cancel':
      return capabilities['tasks'] === undefined ? undeclared(method, 'tasks') : undefined;
    default:
      return undefined;
  }
}

function samplingProblem(params: ParamSpans, sampling: unknown): RpcError | undefined {
  if (sampling === undefined) return undeclared('sampling/createMessage', 'sampling');
  const wantsTools = params.has('tools') || params.has('toolChoice');
  return wantsTools && !declares(sampling, 'tools') ? invalid('sampling.tools') : undefined;
}

/** True if a client shows forms to its user (`elicitation/create`). */
export function takesForms({ elicitation }: Capabilities): boolean {
  // An object that names no mode means forms, as it did before there were other modes.
  return elicitation !== undefined && (declares(elicitation, 'form') || !declares(elicitation, 'url'));
}

/** True if a client shows pages of servers beside their answers (MCP Apps). */
export function takesApps({ extensions }: Capabilities): boolean {
  const apps = isRecord(extensions) ? extensions[APPS] : undefined;
  if (!isRecord(apps)) return false;
  const { mimeTypes } = apps;
  return mimeTypes === undefined || (Array.isArray(mimeTypes) && mimeTypes.includes(APP_TYPE));
}

function declares(capability: unknown, part: string): boolean {
  return isRecord(capability) && capability[part] !== undefined;
}

function undeclared(method: string, capability: string): RpcError {
  const message = `The client behind mcpmux has not declared the capability ${capability}, which ${method} needs`;
  return { code: ErrorCode.MethodNotFound, message };
}

function invalid(capability: string): RpcError {
  const message = `The client behind mcpmux has not declared the capability ${capability}, which these params need`;
  return { code: ErrorCode.InvalidParams, message };
}
