/** The object of Node.js behind a stream over a pipe. Its members are not documented: each may be missing. */
export interface PipeHandle {
  /** The file descriptor; -1 on Windows. */
  readonly fd?: number;
  /** From now on everything is read into `buffer`. */
  readonly useUserBuffer?: (buffer: Buffer) => void;
  /** How many bytes of the writes that were begun have not been taken. */
  readonly writeQueueSize?: number;
}

/**
 * The handle of a stream over a pipe or a Unix socket: the standard streams of processes are such. Everything else has
 * none here, TLS above all: what its descriptor carries are not the bytes of the stream.
 */
export function pipeHandleOf(stream: object): PipeHandle | undefined {
  // oxlint-disable-next-line no-underscore-dangle -- the name is that of Node.js
  const handle = (stream as { readonly _handle?: object | null })._handle;
  return handle?.constructor.name === 'Pipe' ? handle : undefined;
}
