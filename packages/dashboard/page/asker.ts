import type { Question } from './rounds.js';
import { isJson, textIn } from './values.js';

/** The servers that may send a question. */
export interface Askers {
  /** The server of the entry that the page uses. Undefined if only the question can identify the server. */
  readonly server: string | undefined;
  readonly names: readonly string[];
}

/** The server that sends a question, and its message. */
export interface Asked {
  readonly asker: string;
  readonly message: string;
}

/** The key in `_meta` under which mcpmux stores the server of a request. */
const SERVER_KEY = 'dev.mcpmux/server';
const UNKNOWN = 'A server behind mcpmux';

/**
 * Returns the server that sends a question. mcpmux puts the server name before the message of an elicitation, and into
 * `_meta` of a sampling request. A call to one server may lead to questions from another server through a tool of
 * mcpmux that calls tools.
 */
export function askedBy({ method, params }: Question, { server, names }: Askers): Asked {
  const { _meta } = params;
  const text = textIn(params['message']);
  if (method === 'sampling/createMessage')
    return { asker: (isJson(_meta) && textIn(_meta[SERVER_KEY])) || (server ?? UNKNOWN), message: text };
  // The server of the entry comes first, because a name may contain brackets and a message may begin with a bracketed
  // name.
  const candidates = [...(server === undefined ? [] : [server]), ...names.toSorted(byLength)];
  const named = candidates.find((name) => text.startsWith(labelOf(name)));
  if (named === undefined) return { asker: server ?? UNKNOWN, message: text };
  return { asker: named, message: text.slice(labelOf(named).length) };
}

function labelOf(name: string): string {
  return `[${name}] `;
}

function byLength(a: string, b: string): number {
  return b.length - a.length;
}
