import type { Agent } from 'node:http';

import { largeReadBuffer } from '@mcpmux/wire';

/**
 * Makes the connections of an agent read into memory that all streams share. The parser of `node:http` copies each part
 * of a body, so no reference to a read remains. Allocating memory for each read, and collecting it, took a fifth of a
 * call with a response of 100 KB.
 */
export function withSharedReads<A extends Agent>(agent: A): A {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, ...rest) => {
    const callback = (length: number, read: Buffer): boolean => {
      socket?.emit('data', read.subarray(0, length));
      return true;
    };
    const onread = { buffer: largeReadBuffer(), callback };
    const socket = connect(Object.assign(options, { onread }), ...rest);
    // A socket has no listener between the end of a response and its next use, and a request may be aborted at that
    // moment.
    return socket?.on('error', ignore);
  };
  return agent;
}

function ignore(): void {
  // The request itself reports the error to its caller.
}
