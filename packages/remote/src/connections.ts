import type { Agent } from 'node:http';

import { largeReadBuffer } from '@mcpmux/wire';

/**
 * Lets the connections of an agent be read into memory that all streams share. The parser of `node:http` copies each part
 * of a body, so nothing keeps a read. Fresh memory for each read, and its way through garbage collections, cost a fifth of
 * a call with an answer of 100 KB.
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
    // Between the end of an answer and its next use nobody listens to a socket, and a request may be given up just then.
    return socket?.on('error', ignore);
  };
  return agent;
}

function ignore(): void {
  // The request itself reports the error to its caller.
}
