/** The session or host that adds, removes or reloads a server, and the rule that allows the action. */
export interface Actor {
  /** The reason for the action, such as a rule of the policy, `host`, `restart` or `start failed`. */
  readonly rule: string;
  /** The client's session; absent if mcpmux or its host acts. */
  readonly session?: number;
}

/** The actor for the program that embeds mcpmux. Its operator has authorized the action. */
export const HOST_ACTOR: Actor = Object.freeze({ rule: 'host' });
