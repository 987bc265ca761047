import type { CallableTool } from '@mcpmux/core';
import { isRecord } from '@mcpmux/kit';
import { typeOf } from './schema-type.js';
import { commentLines, propertyName } from './type-text.js';

/** The declaration of `ToolResult`, the result type of tools without an output schema. */
const TOOL_RESULT_DECLARATION = `/** text: the texts of content, joined. */
interface ToolResult { content: { type: string; text?: string; [key: string]: unknown }[]; text: string; [key: string]: unknown }`;

/** Returns TypeScript declarations of the tools, grouped by server. */
export function declarationsOf(tools: readonly CallableTool[]): string {
  const servers = new Map<string, string[]>();
  for (const tool of tools) {
    const { server, local } = splitQualifiedName(tool.name);
    const lines = servers.get(server) ?? [];
    servers.set(server, lines);
    lines.push(...declarationLines(local, tool.definition));
  }
  const blocks = [...servers].map(
    ([server, lines]) =>
      `  ${propertyName(server)}: {\n${lines.map((line) => `    ${line}`).join('\n')}\n  };`,
  );
  return `${TOOL_RESULT_DECLARATION}\ndeclare const tools: {\n${blocks.join('\n')}\n};`;
}

function declarationLines(name: string, definition: Readonly<Record<string, unknown>>): readonly string[] {
  const { description, inputSchema, outputSchema } = definition;
  const args = typeOf(inputSchema);
  const optional = isRecord(inputSchema) && hasRequired(inputSchema) ? '' : '?';
  const result = outputSchema === undefined ? 'ToolResult' : typeOf(outputSchema);
  return [
    ...commentLines(description),
    `${propertyName(name)}(args${optional}: ${args}): Promise<${result}>;`,
  ];
}

function hasRequired({ required }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(required) && required.length > 0;
}

function splitQualifiedName(qualified: string): { readonly server: string; readonly local: string } {
  const at = qualified.indexOf('__');
  return { server: qualified.slice(0, at), local: qualified.slice(at + 2) };
}
