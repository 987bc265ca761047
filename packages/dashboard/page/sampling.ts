import type { Json } from './connection.js';
import { messageParts, type Part } from './result-parts.js';
import { isJson, numberIn, textIn } from './values.js';

/** A request for a completion, as the page shows it: all of it, in the order in which a person reads it. */
export interface SamplingShown {
  readonly systemPrompt: string;
  readonly messages: readonly Part[];
  /** The wishes of the server for the model: names with their values, as text. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** The tools that the model could use, as JSON; empty where there are none. */
  readonly tools: string;
  readonly maxTokens: number | undefined;
}

/** A person has declined: the error of MCP, which servers of the legacy era get. */
export const REJECTED: Json = { error: { code: -1, message: 'User rejected sampling request' } };
/** The only field of the form. */
const ANSWER = 'The answer of the model';
/** The page counts four characters as one token, everywhere. */
const CHARACTERS = 4;

const NAMES: Readonly<Record<string, string>> = {
  maxTokens: 'Most tokens of the answer',
  temperature: 'Temperature',
  stopSequences: 'Stop sequences',
  includeContext: 'Context',
  toolChoice: 'Choice of tools',
  metadata: 'Metadata',
};
const PRIORITIES: ReadonlySet<string> = new Set(['costPriority', 'speedPriority', 'intelligencePriority']);
/** Shown by themselves, or about the message alone. */
const APART: ReadonlySet<string> = new Set([
  'messages',
  'systemPrompt',
  'modelPreferences',
  'tools',
  '_meta',
]);

/** Reads a request for a completion. Nothing that the server has written is left out. */
export function samplingShown(params: Json): SamplingShown {
  const { messages, systemPrompt, modelPreferences, tools } = params;
  const others = Object.entries(params).filter(([name]) => !APART.has(name));
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

/** The schema of the form for the answer of a person. The most tokens are a bound that MCP does not leave to the client. */
export function answerSchema(maxTokens: number | undefined): Json {
  const answer = {
    type: 'string',
    minLength: 1,
    ...(maxTokens !== undefined && {
      maxLength: maxTokens * CHARACTERS,
      description: `At most ${maxTokens} tokens: about ${CHARACTERS} characters are one token`,
    }),
  };
  return { type: 'object', properties: { [ANSWER]: answer }, required: [ANSWER] };
}

/** The answer of a person, who is named as the model, and has said all that was to be said. */
export function answerOf(typed: Json): Json {
  const text = textIn(typed[ANSWER]);
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
