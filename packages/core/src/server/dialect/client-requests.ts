import { isRecord } from '@mcpmux/kit';
import { ErrorCode, type ParamSpans, type RpcError, stringAt, paramText } from '@mcpmux/wire';
import type { ClientProfile } from './client-profile.js';

type Capabilities = ClientProfile['capabilities'];

/** A kind of request that mcpmux can deny to a server, named after the capability that a client declares for it. */
export type ClientRequestKind = 'sampling' | 'elicitation' | 'roots';

const KIND_BY_METHOD: Readonly<Record<string, ClientRequestKind>> = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
};

/** The name of the MCP Apps extension. */
const APPS_EXTENSION = 'io.modelcontextprotocol/ui';
/** The MIME type of pages of MCP Apps. */
export const APP_TYPE = 'text/html;profile=mcp-app';

/** Returns the kind of a server's request with this method. */
export function inputKindOf(method: string): ClientRequestKind | undefined {
  return Object.hasOwn(KIND_BY_METHOD, method) ? KIND_BY_METHOD[method] : undefined;
}

/** Returns the kind of a denied request. Undefined if the request is allowed. */
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

/** True for a method about tasks. Its params name a task, not a tool. */
export function isTaskMethod(method: string): boolean {
  return method.startsWith('tasks/');
}

/** The methods that return the result of the call behind a task: as their own result, or as its member `result`. */
export const TASK_RESULT_METHODS: ReadonlyMap<string, 'itself' | 'member'> = new Map([
  ['tasks/result', 'itself'],
  ['tasks/get', 'member'],
]);

/** Returns the result to send on behalf of a disconnected client, as JSON text. Undefined if the method has none. */
export function clientlessResult(method: string): string | undefined {
  return method === 'elicitation/create' ? '{"action":"cancel"}' : undefined;
}

/**
 * Returns the error for a request that the client does not support, or `undefined` if it does. Servers must not use an
 * undeclared capability (2025-11-25, lifecycle, capability negotiation). Returns undefined for an unknown method.
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

/** Returns the modes of elicitation that a client has declared (`elicitation/create`). */
export function elicitationModes({ elicitation }: Capabilities): {
  readonly takesForms: boolean;
  readonly takesUrls: boolean;
} {
  const takesUrls = declares(elicitation, 'url');
  // An object without modes means forms, because early revisions had no modes.
  return {
    takesForms: elicitation !== undefined && (declares(elicitation, 'form') || !takesUrls),
    takesUrls,
  };
}

/** True if a client can display servers' pages (MCP Apps). */
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

/** Returns the capabilities that a client needs for this request. */
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
