/** The Node.js object for a stream over a pipe. Its members are undocumented, so each may be missing. */
export interface PipeHandle {
  /** The file descriptor. -1 on Windows. */
  readonly fd?: number;
  /** Makes Node.js read everything into `buffer` from now on. */
  readonly useUserBuffer?: (buffer: Buffer) => void;
  /** The number of bytes in begun writes that have not been accepted yet. */
  readonly writeQueueSize?: number;
}

/**
 * Returns the handle of a stream over a pipe or a Unix socket, which includes the standard streams of processes.
 * Returns undefined for all other streams, especially TLS, whose descriptor does not transfer the bytes of the stream
 * itself.
 */
export function pipeHandleOf(stream: object): PipeHandle | undefined {
  // oxlint-disable-next-line no-underscore-dangle -- the name is that of Node.js
  const handle = (stream as { readonly _handle?: object | null })._handle;
  return handle?.constructor.name === 'Pipe' ? handle : undefined;
}
