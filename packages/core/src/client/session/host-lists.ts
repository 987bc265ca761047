import type { LocalClient, RequestOptions } from './local-client.js';
import type { ListedPrompt, ListedResource, ListedTemplate, ListedTool } from './host-results.js';

interface Lists {
  readonly tools: ListedTool;
  readonly prompts: ListedPrompt;
  readonly resources: ListedResource;
  readonly resourceTemplates: ListedTemplate;
}

const METHODS = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
} as const satisfies Record<keyof Lists, string>;

type Page<List extends keyof Lists> = { readonly [L in List]: readonly Lists[List][] } & {
  readonly nextCursor?: string;
};

/** Requests a list page by page and returns all its entries. */
export async function listAll<List extends keyof Lists>(
  client: LocalClient,
  list: List,
  options?: RequestOptions,
): Promise<readonly Lists[List][]> {
  const entries: Lists[List][] = [];
  let cursor: string | undefined;
  do {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request<Page<List>>(METHODS[list], params, options);
    const shown: readonly Lists[List][] = page[list];
    entries.push(...shown);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return entries;
}
