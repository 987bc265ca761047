import { isRecord } from '../base/is-record.js';
import type { CallableTool, NestedCallOptions, NestedCalls } from '../guards/guard.js';
import { declarationsOf } from './declarations.js';
import type { SandboxRequest } from './sandbox-messages.js';

/** More tools are not described at once. */
const MAX_DESCRIBED = 100;

/**
 * Answers a request of code with JSON text.
 *
 * @throws Error whose message is for the code
 */
export async function answerRequest(
  { what, subject, args }: SandboxRequest,
  calls: NestedCalls,
  options: NestedCallOptions,
): Promise<string> {
  const given = parsed(what === 'call' ? args : subject);
  if (what === 'describe') return JSON.stringify(described(given, calls));
  if (!isRecord(given)) throw new Error(`the arguments of ${subject} are not an object`);
  const tool = calls.tool(subject);
  if (tool === undefined) throw new Error(unknownTool(subject));
  const answer = await calls.call(subject, given, options);
  const json = answer.json().toString('utf8');
  if (answer.kind === 'error') throw new Error(`${subject}: ${errorIn(json)}`);
  const isTyped = tool.definition()['outputSchema'] !== undefined;
  if (asksForInput(json)) throw new Error(`${subject} asks the user: call it outside of run_code`);
  return `{"isTyped":${isTyped},"result":${json}}`;
}

/** The declarations of tools whose names match; without patterns, the names of all tools. */
function described(patterns: unknown, calls: NestedCalls): string {
  const all = [...calls.tools()];
  const wanted = Array.isArray(patterns) ? patterns.map(String) : [];
  if (wanted.length === 0) return all.map(({ name }) => name).join('\n');
  const found = all.filter(({ name }) => wanted.some((pattern) => matches(pattern, name)));
  if (found.length === 0) return `No tool matches ${wanted.join(', ')}. describe() names all tools.`;
  const rest = found.length - MAX_DESCRIBED;
  return declarationsOf(found.slice(0, MAX_DESCRIBED)) + (rest > 0 ? `\n// ${rest} more tools match` : '');
}

/** `*` stands for any text. The name of a server stands for its tools. No regular expression: code writes the pattern. */
function matches(pattern: string, name: CallableTool['name']): boolean {
  if (name.startsWith(`${pattern}__`)) return true;
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}

function unknownTool(name: string): string {
  const how = 'describe() names all tools; a tool is tools.SERVER.TOOL(args) or call("SERVER__TOOL", args).';
  return `there is no tool ${JSON.stringify(name.slice(0, 200))} of a server. ${how}`;
}

/** A server of the modern era asks in its result. Its client would have to send the request of the call again. */
function asksForInput(json: string): boolean {
  if (!json.includes('"input_required"')) return false;
  const result = parsed(json);
  return isRecord(result) && result['resultType'] === 'input_required';
}

function errorIn(json: string): string {
  const error = parsed(json);
  return isRecord(error) ? String(error['message']) : json;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
