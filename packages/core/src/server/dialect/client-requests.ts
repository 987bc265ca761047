import { isRecord } from '@mcpmux/kit';
import { ErrorCode, type ParamSpans, type RpcError, stringAt, paramText } from '@mcpmux/wire';
import type { ClientProfile } from './client-profile.js';

type Capabilities = ClientProfile['capabilities'];

/** A kind of server request that mcpmux can deny, named after the client capability that it requires. */
export type ClientRequestKind = 'sampling' | 'elicitation' | 'roots';

const KIND_BY_METHOD: Readonly<Record<string, ClientRequestKind>> = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
};

const APPS_EXTENSION = 'io.modelcontextprotocol/ui';
/** The MIME type of MCP Apps pages. */
export const APP_TYPE = 'text/html;profile=mcp-app';

/** Returns the kind of a server request by its method, or undefined for any other method. */
export function inputKindOf(method: string): ClientRequestKind | undefined {
  return Object.hasOwn(KIND_BY_METHOD, method) ? KIND_BY_METHOD[method] : undefined;
}

/** Returns the request's kind if the server may not send it, or undefined if the request is allowed. */
export function deniedKind(
  method: string,
  denied: readonly ClientRequestKind[],
): ClientRequestKind | undefined {
  const kind = inputKindOf(method);
  return kind !== undefined && denied.includes(kind) ? kind : undefined;
}

/** Returns the profile without the capabilities that are denied to the server. */
export function withoutDenied(profile: ClientProfile, denied: readonly ClientRequestKind[]): ClientProfile {
  if (denied.length === 0) return profile;
  const names: ReadonlySet<string> = new Set(denied);
  const allowed = Object.entries(profile.capabilities).filter(([name]) => !names.has(name));
  return { ...profile, capabilities: Object.fromEntries(allowed) };
}

/** True for a `tasks/` method. The params of such a request contain a task id, not a tool name. */
export function isTaskMethod(method: string): boolean {
  return method.startsWith('tasks/');
}

/** The methods that return the result of a task's call: as their own result, or as the member `result` in it. */
export const TASK_RESULT_METHODS: ReadonlyMap<string, 'itself' | 'member'> = new Map([
  ['tasks/result', 'itself'],
  ['tasks/get', 'member'],
]);

/** Returns the result to send for a disconnected client, as JSON text, or undefined if an error must be sent. */
export function clientlessResult(method: string): string | undefined {
  return method === 'elicitation/create' ? '{"action":"cancel"}' : undefined;
}

/**
 * Returns the error for a server request that needs a capability the client has not declared (MCP 2025-11-25,
 * capability negotiation). Returns undefined if the client supports the request or the method is unknown.
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
      if (capabilities['elicitation'] === undefined) return undeclaredError(method, 'elicitation');
      const modeSpan = params.get('mode');
      if (modeSpan === undefined || stringAt(line, modeSpan) !== 'url')
        return elicitationModes(capabilities).takesForms ? undefined : invalidParamsError('elicitation.form');
      return elicitationModes(capabilities).takesUrls ? undefined : invalidParamsError('elicitation.url');
    }
    case 'roots/list':
      return capabilities['roots'] === undefined ? undeclaredError(method, 'roots') : undefined;
    case 'tasks/get':
    case 'tasks/result':
    case 'tasks/list':
    case 'tasks/cancel':
      return capabilities['tasks'] === undefined ? undeclaredError(method, 'tasks') : undefined;
    default:
      return undefined;
  }
}

function samplingProblem(params: ParamSpans, sampling: unknown): RpcError | undefined {
  if (sampling === undefined) return undeclaredError('sampling/createMessage', 'sampling');
  const wantsTools = params.has('tools') || params.has('toolChoice');
  return wantsTools && !declares(sampling, 'tools') ? invalidParamsError('sampling.tools') : undefined;
}

/** Returns the elicitation modes that a client has declared. */
export function elicitationModes({ elicitation }: Capabilities): {
  readonly takesForms: boolean;
  readonly takesUrls: boolean;
} {
  const takesUrls = declares(elicitation, 'url');
  // A client that declares no modes supports forms, because early revisions had no modes.
  return {
    takesForms: elicitation !== undefined && (declares(elicitation, 'form') || !takesUrls),
    takesUrls,
  };
}

/** True if a client can display a server's MCP Apps pages. */
export function supportsApps({ extensions }: Capabilities): boolean {
  const apps = isRecord(extensions) ? extensions[APPS_EXTENSION] : undefined;
  if (!isRecord(apps)) return false;
  const { mimeTypes } = apps;
  return mimeTypes === undefined || (Array.isArray(mimeTypes) && mimeTypes.includes(APP_TYPE));
}

function declares(capability: unknown, part: string): boolean {
  return isRecord(capability) && capability[part] !== undefined;
}

function undeclaredError(method: string, capability: string): RpcError {
  const message = `The client behind mcpmux has not declared the capability ${capability}, which ${method} needs`;
  return { code: ErrorCode.MethodNotFound, message };
}

function invalidParamsError(capability: string): RpcError {
  const message = `The client behind mcpmux has not declared the capability ${capability}, which these params need`;
  return { code: ErrorCode.InvalidParams, message };
}

/** Returns the capabilities that a client must have declared to receive this request. */
export function requiredCapabilities(
  line: Buffer,
  request: { readonly method: string; readonly params: ParamSpans },
): Readonly<Record<string, unknown>> {
  const { method, params } = request;
  const kind = inputKindOf(method);
  switch (kind) {
    case 'elicitation':
      return { elicitation: paramText(line, request, 'mode') === 'url' ? { url: {} } : { form: {} } };
    case 'sampling':
      return { sampling: params.has('tools') || params.has('toolChoice') ? { tools: {} } : {} };
    case 'roots':
      return { roots: {} };
    case undefined:
      return {};
  }
}
