import { createMux } from '@mcpmux/core';
import { BearerTokens, createHttpFront } from '@mcpmux/http';

/** Serves a mux over HTTP, to clients that send one of the tokens. */
export async function serve(tokens: readonly string[]): Promise<AsyncDisposable & { readonly url: string }> {
  const credentials = BearerTokens.of(tokens);
  if ('problem' in credentials) throw new Error(credentials.problem);
  const mux = createMux();
  await mux.addServer('every', {
    command: 'npx',
    args: ['-y', '@modelcontextprotocol/server-everything'],
  });
  const front = createHttpFront(mux, { credentials, allowOrigins: ['https://app.example.com'] });
  const url = await front.listen(); // http://127.0.0.1:{free port}/mcp
  const close = async (): Promise<void> => {
    await front.close();
    await mux.close();
  };
  return { url, [Symbol.asyncDispose]: close };
}
