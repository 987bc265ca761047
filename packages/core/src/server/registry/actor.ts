/** The session or host that adds, removes or reloads a server, and the rule that allows it. */
export interface Actor {
  /** The reason of the action: a rule of the policy, `host`, `restart`, `start failed`. */
  readonly rule: string;
  /** The client's session; absent when mcpmux or its host does it. */
  readonly session?: number;
}

/** The program that embeds mcpmux: its operator has decided. */
export const HOST: Actor = Object.freeze({ rule: 'host' });
