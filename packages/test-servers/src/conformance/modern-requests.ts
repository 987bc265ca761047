import { answerCached, answerComplete } from '../raw/modern-server.js';
import { fail, lineOf, write } from '../raw/output.js';
import type { Request } from '../raw/raw-server.js';
import { ASKING_PROMPT, ASKING_PROMPT_NAME } from './asking-tools.js';
import type { GrowingLists } from './growing-lists.js';
import { listedPrompts, PROMPTS } from './prompts.js';
import { playRound } from './rounds.js';
import { contentOf, text, URIS } from './samples.js';

/** Returns handlers for all requests of the 2026-07-28 scenarios that are not about tools, by method. */
export function modernRequests(lists: GrowingLists): Readonly<Record<string, (request: Request) => void>> {
  return {
    'prompts/list': ({ id }) => {
      const further = [ASKING_PROMPT_NAME, ...lists.names('prompts')];
      const prompts = [...listedPrompts(), ...further.map((name) => ({ name, description: name }))];
      answerCached({}, id, { prompts });
    },
    'prompts/get': prompt,
    'completion/complete': ({ id }) =>
      answerComplete(id, { completion: { values: [], total: 0, hasMore: false } }),
    'resources/list': ({ id }) =>
      answerCached({}, id, { resources: URIS.map((uri) => ({ uri, name: uri })) }),
    'resources/templates/list': ({ id }) => {
      const template = { uriTemplate: 'test://template/{id}/data', name: 'template' };
      answerCached({}, id, { resourceTemplates: [template] });
    },
    'resources/read': read,
  };
}

function prompt(request: Request): void {
  const { id, params } = request;
  const name = params.name ?? '';
  const respond = (contents: readonly object[]): void =>
    answerComplete(id, { messages: contents.map((content) => ({ role: 'user', content })) });
  if (name === ASKING_PROMPT_NAME) return playRound(ASKING_PROMPT, request, (said) => respond([text(said)]));
  const found = PROMPTS[name];
  if (found === undefined) return fail(id, -32602, `no prompt ${name}`);
  const given = Object.entries(params.arguments ?? {}).map(([key, value]) => [key, String(value)] as const);
  respond(found.contents(Object.fromEntries(given)));
}

function read({ id, params: { uri = '' } }: Request): void {
  const content = contentOf(uri);
  if (content !== undefined) answerCached({}, id, { contents: [content] });
  else write(lineOf({ id, error: { code: -32602, message: 'no such resource', data: { uri } } }));
}
