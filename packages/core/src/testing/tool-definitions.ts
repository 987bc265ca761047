import { LISTS } from '../server/lists/list-kind.js';
import { readPage, type Definition } from '../server/lists/definition.js';

/** The definition that a server would give as this JSON text. */
export function toolDefinition(json: string): Definition {
  const line = Buffer.from(`{"tools":[${json}]}`);
  const [tool] = readPage(line, { start: 0, end: line.length }, LISTS.tools)?.items ?? [];
  if (tool === undefined) throw new Error(`no definition of a tool: ${json}`);
  return tool;
}

/** The shortest legal definition of a tool with this name. */
export function toolNamed(name: string): Definition {
  return toolDefinition(JSON.stringify({ name, inputSchema: { type: 'object' } }));
}
