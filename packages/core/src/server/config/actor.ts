/** The session or host that adds, removes or reloads a server, and the rule that allows the action. */
export interface Actor {
  /** The policy rule that allows the action, or its reason, such as `host`, `restart` or `start failed`. */
  readonly rule: string;
  /** The client's session; absent if mcpmux or its host acts. */
  readonly session?: number;
}

/** The actor for the program that embeds mcpmux. The program's operator has authorized its actions. */
export const HOST_ACTOR: Actor = Object.freeze({ rule: 'host' });
