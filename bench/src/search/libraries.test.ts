import { expect, it } from 'vitest';

import { libraries } from './libraries.js';
import { searchableTexts } from './searchable-text.js';

const TEXTS = searchableTexts([
  {
    server: 'github',
    tools: [
      { name: 'createPullRequest', description: 'Opens a pull request.' },
      {
        name: 'list_issues',
        description: 'Lists what was reported.',
        inputSchema: {
          properties: { filter: { properties: { label_name: { description: 'Of a colour' } } } },
        },
      },
    ],
  },
  { server: 'files', tools: [{ name: 'read_file', title: 'Reader' }] },
]);

it('a tool is text of its names, split into words, and of all its parameters', () => {
  expect(TEXTS.map(({ id, name, parameters }) => [id, name, parameters])).toEqual([
    ['github__createPullRequest', 'create Pull Request', ''],
    ['github__list_issues', 'list issues', 'filter label name Of a colour'],
    ['files__read_file', 'read file', ''],
  ]);
});

it.each(libraries(TEXTS).map(({ name, search }) => [name, search] as const))(
  '%s finds a tool by each of its fields',
  (_, search) => {
    const firsts = ['pull request', 'reported', 'colour', 'reader', 'files'].map((query) => search(query)[0]);
    expect(firsts).toEqual([
      'github__createPullRequest',
      'github__list_issues',
      'github__list_issues',
      'files__read_file',
      'files__read_file',
    ]);
  },
);
