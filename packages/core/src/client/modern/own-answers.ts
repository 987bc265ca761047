import {
  type Edit,
  EACH,
  inOnePiece,
  type OutgoingLine,
  readMessage,
  type Span,
  splice,
  valuePaths,
  valueSpans,
} from '@mcpmux/wire';
import { LIST_KINDS, LISTS } from '../../server/lists/list-kind.js';
import type { Implementation } from '../../server/dialect/server-identity.js';
import { missingMembers } from './complete-result.js';
import { prependEdit, removalEdits } from '../../server/link/members.js';

/** The key in `_meta` for the description of the server that a result comes from. */
export const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo';
const META_PATHS = valuePaths([['_meta'], ['_meta', SERVER_INFO_KEY]]);
const EXECUTION_PATHS = valuePaths([['tools', EACH, 'execution']]);
const LIST_METHODS: ReadonlySet<string> = new Set(LIST_KINDS.map((kind) => LISTS[kind].method));
const NEWLINE_LENGTH = 1;

/** Adds the members that modern answers require but the answer lacks. Removes `execution` from listed tools. */
export class OwnAnswerCompleter {
  /** Caches the completed version of each shared list page. */
  private readonly completedPages = new WeakMap<Buffer, Buffer>();
  private readonly serverInfoMember: string;

  constructor(serverInfo: Implementation) {
    this.serverInfoMember = `${JSON.stringify(SERVER_INFO_KEY)}:${JSON.stringify(serverInfo)}`;
  }

  /** @param isOwnAnswer true if the answer comes from mcpmux or a guard, not from a server */
  complete(line: OutgoingLine, method: string, isOwnAnswer: boolean): OutgoingLine {
    if (LIST_METHODS.has(method) && Array.isArray(line)) {
      const [head, page, end, ...others] = line as readonly Buffer[];
      if (head && page && end && others.length === 0) return [head, this.completedPage(page, method), end];
    }
    const wholeLine = inOnePiece(line);
    const text = wholeLine.subarray(0, wholeLine.length - NEWLINE_LENGTH);
    const message = readMessage(text, []);
    if (message.kind !== 'response' || message.result === undefined) return wholeLine;
    const edits = this.completingEdits(text, message.result, method, isOwnAnswer);
    return edits.length === 0 ? wholeLine : splice(text, edits);
  }

  private completedPage(page: Buffer, method: string): Buffer {
    const cachedPage = this.completedPages.get(page);
    if (cachedPage !== undefined) return cachedPage;
    const pageSpan = { start: 0, end: page.length };
    const newPage = splice(page, this.completingEdits(page, pageSpan, method, true)).subarray(
      0,
      -NEWLINE_LENGTH,
    );
    this.completedPages.set(page, newPage);
    return newPage;
  }

  private completingEdits(text: Buffer, result: Span, method: string, isOwnAnswer: boolean): readonly Edit[] {
    const members = [missingMembers(text, result, method)];
    const edits: Edit[] = [];
    const meta = isOwnAnswer ? metaOf(text, result) : 'named';
    if (meta === undefined) members.push(`"_meta":{${this.serverInfoMember}}`);
    else if (meta !== 'named') edits.push(prependEdit(text, meta, this.serverInfoMember));
    const missing = members.filter((member) => member !== '').join(',');
    if (missing !== '') edits.push(prependEdit(text, result, missing));
    if (method !== LISTS.tools.method) return edits;
    const executions = valueSpans(text, result, EXECUTION_PATHS).map(({ span }) => span);
    return [...edits, ...removalEdits(text, executions)];
  }
}

/** Returns the span of a result's `_meta`, if any; `named` if it already names a server or is not an object. */
function metaOf(text: Buffer, result: Span): Span | 'named' | undefined {
  if (!text.includes('"_meta"', result.start)) return undefined;
  const metaSpans = valueSpans(text, result, META_PATHS);
  const meta = metaSpans.find(({ path }) => path === '_meta');
  if (meta === undefined) return undefined;
  const isNamed = metaSpans.length > 1 || text[meta.span.start] !== '{'.charCodeAt(0);
  return isNamed ? 'named' : meta.span;
}
