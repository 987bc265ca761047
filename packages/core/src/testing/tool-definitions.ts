import { readToolPage, type ToolDefinition } from '../upstream/tool-definition.js';

/** The definition that a server would give as this JSON text. */
export function toolDefinition(json: string): ToolDefinition {
  const line = Buffer.from(`{"tools":[${json}]}`);
  const [tool] = readToolPage(line, { start: 0, end: line.length })?.tools ?? [];
  if (tool === undefined) throw new Error(`no definition of a tool: ${json}`);
  return tool;
}

/** The shortest legal definition of a tool with this name. */
export function toolNamed(name: string): ToolDefinition {
  return toolDefinition(JSON.stringify({ name, inputSchema: { type: 'object' } }));
}
