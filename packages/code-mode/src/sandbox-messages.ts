/** The limits on one run of code. */
export interface SandboxLimits {
  /** Maximum memory that the code may use, in bytes. */
  readonly memoryBytes: number;
  /** Maximum number of requests in one run: tool calls and `describe` calls together. */
  readonly maxCalls: number;
  /** Maximum length of the returned value, in characters. The same limit applies to all printed lines together. */
  readonly maxOutput: number;
}

/** The data that a sandbox's thread receives when it starts. */
export interface SandboxInput extends SandboxLimits {
  readonly code: string;
  /** The compiled QuickJS module. Absent until a thread has compiled it. */
  readonly interpreter?: WebAssembly.Module | undefined;
}

/** A request from the code to the host. */
export interface SandboxRequest {
  readonly kind: 'request';
  readonly id: number;
  readonly what: 'call' | 'describe';
  /** The tool's name for `call`, or a JSON array of name patterns for `describe`. */
  readonly subject: string;
  /** The arguments as JSON text for `call`. Empty for `describe`. */
  readonly args: string;
}

/**
 * The end of a run. `json` is undefined if the code returned nothing. `stuck` means that the code can never finish,
 * because no request is open.
 */
export type SandboxEnd =
  | { readonly kind: 'value'; readonly json: string | undefined }
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'stuck' };

/** A message from a sandbox's thread. */
export type FromSandbox =
  | { readonly kind: 'compiled'; readonly interpreter: WebAssembly.Module }
  | { readonly kind: 'ready' }
  | SandboxRequest
  | { readonly kind: 'line'; readonly text: string }
  | SandboxEnd;

/** The answer to a request: JSON text for the code, or an error message. */
export interface ToSandbox {
  readonly id: number;
  readonly json?: string;
  readonly error?: string;
}
