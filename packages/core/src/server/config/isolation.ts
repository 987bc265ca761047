import type { Layer } from './layer.js';

/** `shared`: all clients share one run of the server. `session`: each session has its own instance. */
export type IsolationMode = 'shared' | 'session';

/** The part of a server that determines its isolation. */
export interface Placed {
  readonly config: { readonly isolation?: IsolationMode | undefined };
  readonly layer: Layer;
}

/** True for a template. A template never runs, because each session gets its own instance of it. */
export function isSessionTemplate({ config, layer }: Placed): boolean {
  return config.isolation === 'session' && layer.holdsTemplates;
}

/** True for the instance that one session has of a template. */
export function isSessionInstance({ config, layer }: Placed): boolean {
  return config.isolation === 'session' && !layer.holdsTemplates;
}
