/** The limits of a run of code. */
export interface SandboxLimits {
  /** Maximum memory of the code, in bytes. */
  readonly memoryBytes: number;
  /** Maximum number of calls and descriptions that the code may request in one run. */
  readonly maxCalls: number;
  /** Maximum length of the returned value, and of all printed lines together, in characters. */
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
  /** For a call, the name of the tool. For a description, the patterns as a JSON array. */
  readonly subject: string;
  /** The arguments of a call, as JSON text. */
  readonly args: string;
}

/** The end of a run. `json` is undefined if the code returned nothing. A `stuck` run waits without an open request. */
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

/** The answer to a request: JSON text for the code, or the message of an error. */
export interface ToSandbox {
  readonly id: number;
  readonly json?: string;
  readonly error?: string;
}
