/** Who adds, removes or reloads a server, and what allows it. */
export interface Actor {
  /** What allows or causes it: a rule of the policy, `host`, `restart`, `start failed`. */
  readonly rule: string;
  /** The client's session; absent when mcpmux or its host does it. */
  readonly session?: number;
}

/** The program that embeds mcpmux: its operator has decided. */
export const HOST: Actor = Object.freeze({ rule: 'host' });
