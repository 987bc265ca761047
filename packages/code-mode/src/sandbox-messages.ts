/** The limits of a run of code. */
export interface SandboxLimits {
  /** Memory of the code, in bytes. */
  readonly memoryBytes: number;
  /** Calls that the code makes, in all. */
  readonly maxCalls: number;
  /** Length of the returned value and of the printed lines together, in characters. */
  readonly maxOutput: number;
}

/** The data with which the thread of a sandbox starts. */
export interface SandboxInput extends SandboxLimits {
  readonly code: string;
  /** QuickJS, compiled; absent in the first thread, which compiles it. */
  readonly interpreter?: WebAssembly.Module | undefined;
}

/** A request of code to the host. */
export interface SandboxRequest {
  readonly kind: 'request';
  readonly id: number;
  readonly what: 'call' | 'describe';
  /** The tool of a call; the patterns of a description as a JSON list. */
  readonly subject: string;
  /** The arguments of a call, JSON text. */
  readonly args: string;
}

/** How code has ended: with a value as JSON text, or none; with an error; or nothing that it waits for can come. */
export type SandboxEnd =
  | { readonly kind: 'value'; readonly json: string | undefined }
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'stuck' };

/** A message of the thread of a sandbox. */
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
