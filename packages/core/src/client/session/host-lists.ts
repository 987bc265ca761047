import type { LocalClient, RequestOptions } from './local-client.js';
import type { ListedPrompt, ListedResource, ListedTemplate, ListedTool } from './host-results.js';

interface ListEntries {
  readonly tools: ListedTool;
  readonly prompts: ListedPrompt;
  readonly resources: ListedResource;
  readonly resourceTemplates: ListedTemplate;
}

const LIST_METHODS = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
} as const satisfies Record<keyof ListEntries, string>;

type ListPage<List extends keyof ListEntries> = { readonly [L in List]: readonly ListEntries[List][] } & {
  readonly nextCursor?: string;
};

/** Requests all pages of a list and returns their entries. */
export async function listAll<List extends keyof ListEntries>(
  client: LocalClient,
  list: List,
  options?: RequestOptions,
): Promise<readonly ListEntries[List][]> {
  const entries: ListEntries[List][] = [];
  let cursor: string | undefined;
  do {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request<ListPage<List>>(LIST_METHODS[list], params, options);
    const pageEntries: readonly ListEntries[List][] = page[list];
    entries.push(...pageEntries);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return entries;
}
