/** The params of the methods that guards usually intercept, as the client sent them. mcpmux has not validated them. */
export interface GuardedParams {
  readonly 'tools/call': {
    readonly name: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
    readonly task?: unknown;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  readonly 'prompts/get': { readonly name: string; readonly arguments?: Readonly<Record<string, string>> };
  readonly 'resources/read': { readonly uri: string };
  readonly 'resources/subscribe': { readonly uri: string };
  readonly 'resources/unsubscribe': { readonly uri: string };
  readonly 'completion/complete': {
    readonly ref: Readonly<Record<string, unknown>>;
    readonly argument: unknown;
  };
}
