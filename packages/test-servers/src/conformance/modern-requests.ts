import { answerCacheable, answerComplete } from '../raw/modern-server.js';
import { fail, lineOf, write } from '../raw/output.js';
import type { Request } from '../raw/raw-server.js';
import { ASKING_PROMPT, ASKING_PROMPT_NAME } from './asking-tools.js';
import type { GrowingLists } from './growing-lists.js';
import { listPrompts, PROMPTS } from './prompts.js';
import { askNextRound } from './rounds.js';
import { resourceContents, text, RESOURCE_URIS } from './samples.js';

/** Returns handlers, by method, for all requests of the 2026-07-28 scenarios that do not concern tools. */
export function modernRequests(lists: GrowingLists): Readonly<Record<string, (request: Request) => void>> {
  return {
    'prompts/list': ({ id }) => {
      const additionalNames = [ASKING_PROMPT_NAME, ...lists.addedNames('prompts')];
      const prompts = [...listPrompts(), ...additionalNames.map((name) => ({ name, description: name }))];
      answerCacheable({}, id, { prompts });
    },
    'prompts/get': answerPromptRequest,
    'completion/complete': ({ id }) =>
      answerComplete(id, { completion: { values: [], total: 0, hasMore: false } }),
    'resources/list': ({ id }) =>
      answerCacheable({}, id, { resources: RESOURCE_URIS.map((uri) => ({ uri, name: uri })) }),
    'resources/templates/list': ({ id }) => {
      const template = { uriTemplate: 'test://template/{id}/data', name: 'template' };
      answerCacheable({}, id, { resourceTemplates: [template] });
    },
    'resources/read': answerReadRequest,
  };
}

function answerPromptRequest(request: Request): void {
  const { id, params } = request;
  const name = params.name ?? '';
  const respond = (contents: readonly object[]): void =>
    answerComplete(id, { messages: contents.map((content) => ({ role: 'user', content })) });
  if (name === ASKING_PROMPT_NAME)
    return askNextRound(ASKING_PROMPT, request, (said) => respond([text(said)]));
  const found = PROMPTS[name];
  if (found === undefined) return fail(id, -32602, `no prompt ${name}`);
  const given = Object.entries(params.arguments ?? {}).map(([key, value]) => [key, String(value)] as const);
  respond(found.renderContents(Object.fromEntries(given)));
}

function answerReadRequest({ id, params: { uri = '' } }: Request): void {
  const content = resourceContents(uri);
  if (content !== undefined) answerCacheable({}, id, { contents: [content] });
  else write(lineOf({ id, error: { code: -32602, message: 'no such resource', data: { uri } } }));
}
