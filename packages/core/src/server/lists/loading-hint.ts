import { type Edit, splice, valuePaths, valueSpans } from '@mcpmux/wire';

import { readDefinition, type Definition } from './definition.js';
import { LISTS } from './list-kind.js';

/** When a client that loads definitions on demand loads a tool: with the first request, or when it is looked for. */
export type ToolLoading = 'always' | 'deferred';

/** Under this key of `_meta` Claude Code reads that a definition must not be deferred. */
const ALWAYS_LOAD = 'anthropic/alwaysLoad';
const ALWAYS_LOAD_PATH = valuePaths([['_meta', ALWAYS_LOAD]]);
/** The member by which model APIs that search tools defer one. */
const DEFER = 'defer_loading';
const DEFER_PATH = valuePaths([[DEFER]]);
const META_PATH = valuePaths([['_meta']]);

/** A tool as its server defines it, with the hints that clients read about its loading. All other bytes stay. */
export function withLoading(tool: Definition, loading: ToolLoading): Definition {
  const always = loading === 'always';
  const edits = [memberEdit(tool, String(!always)), ...metaEdits(tool, always)];
  const bytes = splice(tool.bytes, edits).subarray(0, -1);
  const { forOthers } = tool;
  const hinted = readDefinition(bytes, LISTS.tools) ?? tool;
  return forOthers === undefined ? hinted : { ...hinted, forOthers: withLoading(forOthers, loading) };
}

function memberEdit({ bytes }: Definition, value: string): Edit {
  const [known] = valueSpans(bytes, { start: 0, end: bytes.length }, DEFER_PATH);
  if (known !== undefined) return { span: known.span, bytes: value };
  // A definition has a name, so its object is not empty.
  return { span: { start: 1, end: 1 }, bytes: `"${DEFER}":${value},` };
}

function metaEdits({ bytes, meta }: Definition, always: boolean): readonly Edit[] {
  const whole = { start: 0, end: bytes.length };
  const [known] = valueSpans(bytes, whole, ALWAYS_LOAD_PATH);
  if (known !== undefined) return [{ span: known.span, bytes: String(always) }];
  if (!always) return [];
  const member = `"${ALWAYS_LOAD}":true`;
  if (meta === undefined) {
    // One that is no object stays as it is.
    if (valueSpans(bytes, whole, META_PATH).length > 0) return [];
    return [{ span: { start: 1, end: 1 }, bytes: `"_meta":{${member}},` }];
  }
  const inside = meta.start + 1;
  const isEmpty = bytes.toString('latin1', inside, meta.end - 1).trim() === '';
  return [{ span: { start: inside, end: inside }, bytes: isEmpty ? member : `${member},` }];
}
