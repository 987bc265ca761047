import { quote } from '@mcpmux/kit';
import { parsePath, selectValues } from './json-path.js';
import type { StoredResult } from './result-store.js';
import { matchingLines, pageOf } from './text-pages.js';

/** Maximum size of a part that can be searched by path, in bytes. A path search blocks the event loop. */
const MAX_PATH_BYTES = 16 * 1024 * 1024;

/** Maximum length of `grep` and `path`, in characters. */
const MAX_QUERY_LENGTH = 1000;

/** Selects the text to read from a stored result. */
export interface ReadRequest {
  /** Number of the part, counted from 1; 1 when absent. */
  readonly part?: number | undefined;
  readonly page?: number | undefined;
  readonly grep?: string | undefined;
  readonly path?: string | undefined;
}

/** The requested page, or the reason why it cannot be read. */
export type ReadAnswer =
  | { readonly text: string; readonly page: number; readonly pages: number }
  | { readonly problem: string };

/** Reads one page of a stored part. If present, `path` first selects values, and `grep` then selects lines. */
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

/** Returns the value at a path, or a JSON array of all matches if the path has a wildcard; empty without a match. */
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
