import type { Json } from './connection.js';
import { messageParts, type Part } from './result-parts.js';
import { isJson, numberIn, textIn } from './values.js';

/** A request for a completion, as the page shows it completely and in reading order. */
export interface SamplingView {
  readonly systemPrompt: string;
  readonly messages: readonly Part[];
  /** The preferences of the server for the model, as names and text values. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** The tools that the model could use, as JSON. Empty if there are none. */
  readonly tools: string;
  readonly maxTokens: number | undefined;
}

/** The MCP error for a request that the user has declined. Servers of the legacy era get it. */
export const REJECTED: Json = { error: { code: -1, message: 'User rejected sampling request' } };
/** The only field of the form. */
const ANSWER_FIELD = 'The answer of the model';
/** The number of characters that the page counts as one token. */
const CHARACTERS_PER_TOKEN = 4;

const NAMES: Readonly<Record<string, string>> = {
  maxTokens: 'Most tokens of the answer',
  temperature: 'Temperature',
  stopSequences: 'Stop sequences',
  includeContext: 'Context',
  toolChoice: 'Choice of tools',
  metadata: 'Metadata',
};
const PRIORITIES: ReadonlySet<string> = new Set(['costPriority', 'speedPriority', 'intelligencePriority']);
/** Members that are shown separately, or that concern only the message. */
const SEPARATE_MEMBERS: ReadonlySet<string> = new Set([
  'messages',
  'systemPrompt',
  'modelPreferences',
  'tools',
  '_meta',
]);

/** Reads a request for a completion. The result contains everything that the server has written. */
export function samplingView(params: Json): SamplingView {
  const { messages, systemPrompt, modelPreferences, tools } = params;
  const others = Object.entries(params).filter(([name]) => !SEPARATE_MEMBERS.has(name));
  const most = numberIn(params['maxTokens']);
  return {
    systemPrompt: systemPrompt === undefined ? '' : textOf(systemPrompt),
    messages: messagesIn(messages),
    facts: [
      ...others.map(([name, value]) => [nameOf(name), textOf(value)] as const),
      ...preferences(modelPreferences),
    ],
    tools: tools === undefined ? '' : JSON.stringify(tools, undefined, 2),
    maxTokens: most !== undefined && most >= 1 ? Math.floor(most) : undefined,
  };
}

/**
 * Returns the schema of the form for the user's answer. The maximum number of tokens is a limit that MCP requires the
 * client to respect.
 */
export function answerSchema(maxTokens: number | undefined): Json {
  const answer = {
    type: 'string',
    minLength: 1,
    ...(maxTokens !== undefined && {
      maxLength: maxTokens * CHARACTERS_PER_TOKEN,
      description: `At most ${maxTokens} tokens: about ${CHARACTERS_PER_TOKEN} characters are one token`,
    }),
  };
  return { type: 'object', properties: { [ANSWER_FIELD]: answer }, required: [ANSWER_FIELD] };
}

/** Returns the user's answer as a result that names a person as the model and ends the turn. */
export function answerOf(typed: Json): Json {
  const text = textIn(typed[ANSWER_FIELD]);
  const content = { type: 'text', text };
  return { role: 'assistant', content, model: 'a person on the page of mcpmux', stopReason: 'endTurn' };
}

function messagesIn(messages: unknown): readonly Part[] {
  if (Array.isArray(messages)) return messages.flatMap((message) => messageParts(message, 'with kind'));
  return messages === undefined
    ? []
    : [{ head: 'not a list of messages', kind: 'text', text: JSON.stringify(messages, undefined, 2) }];
}

function preferences(value: unknown): readonly (readonly [string, string])[] {
  if (value === undefined) return [];
  if (!isJson(value)) return [['Preferred models', textOf(value)]];
  return Object.entries(value).map(([name, one]) => {
    if (name === 'hints') return ['Preferred models', hintsIn(one)];
    return [PRIORITIES.has(name) ? `Priority of ${name.replace('Priority', '')}` : name, textOf(one)];
  });
}

function hintsIn(hints: unknown): string {
  if (!Array.isArray(hints)) return textOf(hints);
  return hints.map((hint: unknown) => (isJson(hint) && textIn(hint['name'])) || textOf(hint)).join(', ');
}

function nameOf(name: string): string {
  return Object.hasOwn(NAMES, name) ? String(NAMES[name]) : name;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
