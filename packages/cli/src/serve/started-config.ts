import type { ConfigReconciler } from '../config/config-reconciler.js';

/** A config whose servers were started. */
export interface StartedConfig {
  readonly reconciler: ConfigReconciler;
  readonly isUsable: boolean;
}
