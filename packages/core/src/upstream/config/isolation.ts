import type { Layer } from './layer.js';

/** Whether clients have one run of a server between them, or each session one of its own. */
export type IsolationMode = 'shared' | 'session';

/** A server as far as its isolation goes. */
export interface Placed {
  readonly config: { readonly isolation?: IsolationMode | undefined };
  readonly layer: Layer;
}

/** True for a template: it never runs, and each session gets its own instance of it. */
export function isSessionTemplate({ config, layer }: Placed): boolean {
  return config.isolation === 'session' && layer.isShared;
}

/** True for the instance that one session has of a template. */
export function isSessionInstance({ config, layer }: Placed): boolean {
  return config.isolation === 'session' && !layer.isShared;
}
