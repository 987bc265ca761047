import { type Edit, splice, valuePaths, valueSpans } from '@mcpmux/wire';

import { readDefinition, type Definition } from './definition.js';
import { LISTS } from './list-kind.js';

/** When a client that loads tools on demand loads this one: with its first request to the model, or after a search. */
export type ToolLoading = 'always' | 'deferred';

/** The key in `_meta` that makes Claude Code load a definition immediately. */
const ALWAYS_LOAD_KEY = 'anthropic/alwaysLoad';
const ALWAYS_LOAD_PATH = valuePaths([['_meta', ALWAYS_LOAD_KEY]]);
/** The member that makes model APIs with tool search defer a tool. */
const DEFER_KEY = 'defer_loading';
const DEFER_PATH = valuePaths([[DEFER_KEY]]);
const META_PATH = valuePaths([['_meta']]);

/** Returns a tool with hints for clients about when to load it. All other bytes stay as the server wrote them. */
export function withLoading(tool: Definition, loading: ToolLoading): Definition {
  const always = loading === 'always';
  const edits = [deferEdit(tool, String(!always)), ...alwaysLoadEdits(tool, always)];
  const bytes = splice(tool.bytes, edits).subarray(0, -1);
  const { forOthers } = tool;
  const hinted = readDefinition(bytes, LISTS.tools) ?? tool;
  return forOthers === undefined ? hinted : { ...hinted, forOthers: withLoading(forOthers, loading) };
}

function deferEdit({ bytes }: Definition, value: string): Edit {
  const [existing] = valueSpans(bytes, { start: 0, end: bytes.length }, DEFER_PATH);
  if (existing !== undefined) return { span: existing.span, bytes: value };
  // The object is not empty, because a definition has a name.
  return { span: { start: 1, end: 1 }, bytes: `"${DEFER_KEY}":${value},` };
}

function alwaysLoadEdits({ bytes, metaSpan }: Definition, always: boolean): readonly Edit[] {
  const whole = { start: 0, end: bytes.length };
  const [existing] = valueSpans(bytes, whole, ALWAYS_LOAD_PATH);
  if (existing !== undefined) return [{ span: existing.span, bytes: String(always) }];
  if (!always) return [];
  const member = `"${ALWAYS_LOAD_KEY}":true`;
  if (metaSpan === undefined) {
    // A `_meta` that is not an object stays unchanged.
    if (valueSpans(bytes, whole, META_PATH).length > 0) return [];
    return [{ span: { start: 1, end: 1 }, bytes: `"_meta":{${member}},` }];
  }
  const inside = metaSpan.start + 1;
  const isEmpty = bytes.toString('latin1', inside, metaSpan.end - 1).trim() === '';
  return [{ span: { start: inside, end: inside }, bytes: isEmpty ? member : `${member},` }];
}
