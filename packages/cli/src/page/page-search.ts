import type { SearchRegistry } from '@mcpmux/dashboard';

/** The search of the page; undefined where no registry can be searched. */
export function searchForPage(): SearchRegistry | undefined {
  return undefined;
}
