import MiniSearch from 'minisearch';
import bm25 from 'wink-bm25-text-search';
import model from 'wink-eng-lite-web-model';
import winkNlp from 'wink-nlp';

import type { SearchableText } from './searchable-text.js';

/** Finds tools: the ids of the best ones first. */
export type Search = (query: string) => readonly string[];

/** A way to find tools, by the name of the table. */
export interface Searcher {
  readonly name: string;
  readonly search: Search;
}

const FIELDS = ['server', 'name', 'title', 'description', 'parameters'] as const;
/** As a client documents them for its own search (LiveKit Agents), the server and the title as the name. */
const WEIGHTS = { server: 3, name: 3, title: 3, description: 2, parameters: 1 };

/** Every BM25 library with its defaults, and with what its documents recommend. */
export function libraries(texts: readonly SearchableText[]): readonly Searcher[] {
  return [
    { name: 'MiniSearch 7.2.0', search: miniSearch(texts, {}) },
    {
      name: 'MiniSearch 7.2.0, weights, prefixes, fuzzy',
      search: miniSearch(texts, { boost: WEIGHTS, prefix: true, fuzzy: 0.2 }),
    },
    { name: 'wink-bm25-text-search 3.1.2, weights, stems', search: wink(texts) },
  ];
}

function miniSearch(texts: readonly SearchableText[], searchOptions: object): Search {
  const index = new MiniSearch<SearchableText>({ fields: [...FIELDS], searchOptions });
  index.addAll(texts);
  return (query) => index.search(query).map(({ id }) => String(id));
}

/* oxlint-disable typescript/unbound-method -- the members of `its` name properties of a word */
/** Prepares texts as the README of the library does: words without stop words, by their stems. */
function wink(texts: readonly SearchableText[]): Search {
  const engine = bm25();
  const nlp = winkNlp(model);
  const { its } = nlp;
  engine.defineConfig({ fldWeights: WEIGHTS });
  engine.definePrepTasks([
    (text) => {
      const words: string[] = [];
      nlp
        .readDoc(text)
        .tokens()
        .filter((token) => token.out(its.type) === 'word' && token.out(its.stopWordFlag) !== true)
        .each((token) =>
          words.push(`${token.out(its.negationFlag) === true ? '!' : ''}${token.out(its.stem)}`),
        );
      return words;
    },
  ]);
  for (const { id, ...fields } of texts) engine.addDoc(fields, id);
  engine.consolidate();
  return (query) => engine.search(query, 100).map(([id]) => id);
}
