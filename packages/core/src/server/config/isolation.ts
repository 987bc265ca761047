import type { Layer } from './layer.js';

/** `shared`: all clients share one run of the server. `session`: each session has its own instance. */
export type IsolationMode = 'shared' | 'session';

/** The properties of a server that determine its isolation. */
export interface ServerInLayer {
  readonly config: { readonly isolation?: IsolationMode | undefined };
  readonly layer: Layer;
}

/** True for a session template, which never runs itself: each session runs its own instance of it. */
export function isSessionTemplate({ config, layer }: ServerInLayer): boolean {
  return config.isolation === 'session' && layer.holdsTemplates;
}

/** True for a session instance, which serves the client of one session only. */
export function isSessionInstance({ config, layer }: ServerInLayer): boolean {
  return config.isolation === 'session' && !layer.holdsTemplates;
}
