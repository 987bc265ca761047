import type { IncomingHttpHeaders } from 'node:http';

import type { Message, Params } from '../raw/message.js';

const NAME_PARAMETERS: Readonly<Record<string, 'name' | 'uri' | 'taskId'>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/**
 * Returns the problem with a modern request's headers, or undefined if they are valid (Server Validation of the
 * 2026-07-28 revision).
 */
export function headerProblem(
  headers: IncomingHttpHeaders,
  { method = '', params = {} }: Message,
  tools: readonly object[],
): string | undefined {
  const subject = NAME_PARAMETERS[method];
  const wanted: Record<string, unknown> = {
    'mcp-protocol-version': revisionOf(params),
    'mcp-method': method,
    'mcp-name': subject && params[subject],
    ...(method === 'tools/call' && declaredHeaders(params.name, params.arguments ?? {}, tools)),
  };
  for (const [name, value] of Object.entries(wanted)) {
    const sentValue = headers[name];
    const expectedValue = value === undefined || value === null ? undefined : headerText(value);
    const decodedValue = typeof sentValue === 'string' ? decodeHeader(sentValue) : undefined;
    if (decodedValue !== expectedValue)
      return `${name} is ${String(sentValue)}, and the body has ${expectedValue}`;
  }
  return undefined;
}

/** Returns the revision from a request's envelope. */
export function revisionOf({ _meta: meta }: Params): unknown {
  return meta?.['io.modelcontextprotocol/protocolVersion'];
}

function headerText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Returns the expected values of the headers that a tool's schema declares. Fixtures declare headers only for top-level
 * properties.
 */
function declaredHeaders(
  name: string | undefined,
  args: Readonly<Record<string, unknown>>,
  tools: readonly object[],
): Record<string, unknown> {
  const tool = tools.find((one) => 'name' in one && one.name === name);
  const { inputSchema }: { inputSchema?: { properties?: Record<string, Record<string, unknown>> } } =
    tool ?? {};
  const annotated = Object.entries(inputSchema?.properties ?? {}).flatMap(([key, schema]) => {
    const header = schema['x-mcp-header'];
    return typeof header === 'string' ? [[`mcp-param-${header.toLowerCase()}`, args[key]] as const] : [];
  });
  return Object.fromEntries(annotated);
}

function decodeHeader(value: string): string {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString();
}
