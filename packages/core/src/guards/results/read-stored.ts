import { quote } from '@mcpmux/kit';
import { parsePath, selectValues } from './json-path.js';
import type { StoredResult } from './result-store.js';
import { matchingLines, pageOf } from './text-pages.js';

/** Maximum size of a part that can be searched by path, in bytes. Such a search blocks all other work. */
const MAX_PATH_BYTES = 16 * 1024 * 1024;

/** Maximum length of `grep` and `path`, in characters. */
const MAX_QUERY_LENGTH = 1000;

/** The part of a stored result to read. */
export interface ReadRequest {
  /** Number of the part; the first is 1. */
  readonly part?: number | undefined;
  readonly page?: number | undefined;
  readonly grep?: string | undefined;
  readonly path?: string | undefined;
}

/** A page, or the problem that prevents it. */
export type ReadAnswer =
  | { readonly text: string; readonly page: number; readonly pages: number }
  | { readonly problem: string };

/** Reads a page of a stored result, of its matching lines, or of the values that a path selects. */
export async function readStoredResult(
  { parts }: StoredResult,
  { part = 1, page = 1, grep, path }: ReadRequest,
  pageBytes: number,
): Promise<ReadAnswer> {
  const text = parts[part - 1];
  if (text === undefined) return { problem: `There is no part ${part}: the result has ${parts.length}.` };
  if ((grep ?? '').length > MAX_QUERY_LENGTH || (path ?? '').length > MAX_QUERY_LENGTH)
    return { problem: 'grep and path have at most 1,000 characters.' };
  const selection = path === undefined ? text : valuesAt(text, path);
  if ('problem' in selection) return selection;
  const output = grep === undefined ? selection : await matchingLines(selection, grep);
  const textPage = pageOf(output, page, pageBytes);
  if (textPage === undefined) return { problem: `There is no page ${page}.` };
  if (textPage.text === '') return { problem: `Nothing matches ${quote(grep ?? path ?? '')}.` };
  return { ...textPage, page };
}

/** Returns the values that a path selects: one value as it is, several values as a JSON array. */
function valuesAt(text: Buffer, path: string): Buffer | { readonly problem: string } {
  const steps = parsePath(path);
  if (steps === undefined)
    return { problem: `${quote(path)} is no path such as $.items[0].name or $.items[*].id.` };
  if (text.length > MAX_PATH_BYTES)
    return { problem: 'This part of the result is longer than 16 MiB: read it by pages or with grep.' };
  try {
    const values = selectValues(text, steps).map(({ start, end }) => text.subarray(start, end));
    const [first] = values;
    if (first === undefined) return Buffer.alloc(0);
    const isSingleValue = !steps.some((step) => 'isEach' in step);
    return isSingleValue ? first : Buffer.concat([Buffer.from('['), ...withCommas(values), Buffer.from(']')]);
  } catch {
    const problem = 'is no JSON, or has more than a million values';
    return { problem: `This part of the result ${problem}: read it by pages or with grep.` };
  }
}

function withCommas(values: readonly Buffer[]): readonly Buffer[] {
  const comma = Buffer.from(',\n');
  return values.flatMap((value, index) => (index === 0 ? [value] : [comma, value]));
}
