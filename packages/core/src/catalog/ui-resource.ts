import { type Span, stringAt, valuePaths, valueSpans } from '@mcpmux/wire';
import type { Definition } from '../server/lists/definition.js';

/**
 * A resource that a tool names as its user interface (MCP Apps, SEP-1865). The second spelling below is the older one.
 */
export interface UiResource {
  readonly uri: string;
  readonly span: Span;
}

const PATHS = valuePaths([
  ['_meta', 'ui', 'resourceUri'],
  ['_meta', 'ui/resourceUri'],
]);

/** Returns the resources that a tool's `_meta` names. They may be missing from the lists of resources. */
export function uiResourcesOf({ bytes, meta }: Definition): readonly UiResource[] {
  if (meta === undefined || !bytes.includes('resourceUri', meta.start)) return [];
  return valueSpans(bytes, { start: 0, end: bytes.length }, PATHS).flatMap(({ span }) => {
    const uri = stringAt(bytes, span);
    return uri === undefined ? [] : [{ uri, span }];
  });
}
