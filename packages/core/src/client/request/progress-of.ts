import type { Exchange } from './exchange.js';

/** Returns the function that sends progress with the client's token, if the client has given one. */
export function progressOf(exchange: Exchange): (message: string) => void {
  const span = exchange.params.get('_meta.progressToken');
  if (span === undefined) return () => undefined;
  const token = exchange.line.toString('utf8', span.start, span.end);
  let count = 0;
  return (message) => {
    count += 1;
    const params = `{"progressToken":${token},"progress":${count},"message":${JSON.stringify(message)}}`;
    exchange.progress(
      Buffer.from(`{"jsonrpc":"2.0","method":"notifications/progress","params":${params}}\n`),
    );
  };
}
