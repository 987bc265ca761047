import type { Attributes } from '@opentelemetry/api';
import { isRecord } from '@mcpmux/kit';

import type { GuardAnswer, GuardContext } from '../guard.js';
import { GuardRefusal } from '../guard-refusal.js';

/** Returns the name of a span: the method, and the tool or prompt. URIs would make too many different names. */
export function spanName({ method, tool }: GuardContext): string {
  return tool === undefined ? method : `${method} ${tool}`;
}

/**
 * Returns the attributes for the span and the duration of a request. Each attribute has few values, and none is taken
 * from params or results.
 *
 * The names follow the semantic conventions for MCP (OpenTelemetry, in development), except `mcpmux.server`.
 */
export function requestAttributes({ method, server, tool }: GuardContext): Attributes {
  return {
    'mcp.method.name': method,
    ...(server !== undefined && { 'mcpmux.server': server }),
    ...(method === 'tools/call' && { 'gen_ai.operation.name': 'execute_tool' }),
    ...(tool !== undefined && {
      [method === 'prompts/get' ? 'gen_ai.prompt.name' : 'gen_ai.tool.name']: tool,
    }),
  };
}

/** Returns the attributes of an answer; none if the answer is not an error. */
export function answerAttributes(answer: GuardAnswer): Attributes {
  if (answer.kind === 'error') {
    const code = codeOf(answer);
    return { 'error.type': code, 'rpc.response.status_code': code };
  }
  return answer.isToolError ? { 'error.type': 'tool_error' } : {};
}

/** Returns the attributes of a request that no server has answered. */
export function failureAttributes(error: unknown, { signal }: GuardContext): Attributes {
  if (signal.aborted) return { 'error.type': 'cancelled' };
  if (error instanceof GuardRefusal) return { 'error.type': String(error.data['reason']) };
  return { 'error.type': error instanceof Error ? error.name : '_OTHER' };
}

function codeOf(answer: GuardAnswer): string {
  const error: unknown = JSON.parse(answer.json().toString('utf8'));
  return isRecord(error) ? String(error['code']) : '_OTHER';
}
