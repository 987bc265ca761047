import type { CallableTool, NestedCallOptions, NestedCalls } from '@mcpmux/core';
import { contentTexts, isRecord, parsedJson } from '@mcpmux/kit';
import { declarationsOf } from './declarations.js';
import type { SandboxRequest } from './sandbox-messages.js';

/** Maximum number of tools in one `describe` answer. */
const MAX_DESCRIBED_TOOLS = 100;
/** Limited because matching patterns blocks the thread that serves all clients. */
const MAX_PATTERNS = 32;
const MAX_PATTERN_LENGTH = 200;

/**
 * Executes a request from the code, and resolves to the answer as JSON text.
 *
 * @throws Error with a message for the code
 */
export async function answerRequest(
  { what, subject, args }: SandboxRequest,
  calls: NestedCalls,
  options: NestedCallOptions,
): Promise<string> {
  const given = parsedJson(what === 'call' ? args : subject);
  if (what === 'describe') return JSON.stringify(describeTools(given, calls));
  if (!isRecord(given)) throw new Error(`the arguments of ${subject} are not an object`);
  const tool = calls.findTool(subject);
  if (tool === undefined) throw new Error(unknownToolMessage(subject));
  const answer = await calls.call(subject, given, options);
  const json = answer.json.toString('utf8');
  if (answer.kind === 'error') throw new Error(`${subject}: ${errorMessageIn(json)}`);
  const isTyped = tool.definition['outputSchema'] !== undefined;
  if (asksForInput(json)) throw new Error(`${subject} asks the user: call it outside of run_code`);
  const text = contentTexts(parsedJson(json)).join('\n');
  return `{"isTyped":${isTyped},"text":${JSON.stringify(text)},"result":${json}}`;
}

/** Returns the declarations of the tools that match any of the patterns. Without patterns, returns all tool names. */
function describeTools(patterns: unknown, calls: NestedCalls): string {
  const all = [...calls.listTools()];
  const wanted = readPatterns(patterns);
  if (wanted.length === 0) return all.map(({ name }) => name).join('\n');
  const matchers = wanted.map((pattern) => nameMatcher(pattern));
  const matchingTools = all.filter(({ name }) => matchers.some((matches) => matches(name)));
  if (matchingTools.length === 0) return `No tool matches ${wanted.join(', ')}. describe() names all tools.`;
  const rest = matchingTools.length - MAX_DESCRIBED_TOOLS;
  return (
    declarationsOf(matchingTools.slice(0, MAX_DESCRIBED_TOOLS)) +
    (rest > 0 ? `\n// ${rest} more tools match` : '')
  );
}

/** @throws Error if there are too many patterns, or if one is too long */
function readPatterns(patterns: unknown): readonly string[] {
  const wanted = Array.isArray(patterns) ? patterns.slice(0, MAX_PATTERNS + 1).map(String) : [];
  if (wanted.length > MAX_PATTERNS) throw new Error(`describe() takes at most ${MAX_PATTERNS} patterns`);
  if (wanted.some(({ length }) => length > MAX_PATTERN_LENGTH))
    throw new Error(`a pattern of describe() has at most ${MAX_PATTERN_LENGTH} characters`);
  return wanted;
}

/**
 * Returns a function that matches tool names against a pattern. `*` matches any string, and a server's name matches all
 * its tools. Does not use a regular expression, because a pattern from untrusted code could make it run for very long.
 */
function nameMatcher(pattern: string): (name: CallableTool['name']) => boolean {
  const ofServer = `${pattern}__`;
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  return (name) =>
    name.startsWith(ofServer) ||
    (last === undefined ? name === pattern : matchesInOrder(name, first, rest, last));
}

/** True for a name that begins with `first`, ends with `last`, and contains the parts of `rest` between, in order. */
function matchesInOrder(name: string, first: string, rest: readonly string[], last: string): boolean {
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const foundAt = name.indexOf(part, at);
    if (foundAt < 0) return false;
    at = foundAt + part.length;
  }
  return at <= name.length - last.length;
}

function unknownToolMessage(name: string): string {
  const how = 'describe() names all tools; a tool is tools.SERVER.TOOL(args) or call("SERVER__TOOL", args).';
  return `there is no tool ${JSON.stringify(name.slice(0, 200))} of a server. ${how}`;
}

/** True for a result with questions (modern era). Only the client can answer them, by sending its request again. */
function asksForInput(json: string): boolean {
  if (!json.includes('"input_required"')) return false;
  const result = parsedJson(json);
  return isRecord(result) && result['resultType'] === 'input_required';
}

function errorMessageIn(json: string): string {
  const error = parsedJson(json);
  return isRecord(error) ? String(error['message']) : json;
}
