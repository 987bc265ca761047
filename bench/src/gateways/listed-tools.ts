import type { RawClient } from '../load/raw-client.js';

const WITHIN_MS = 60_000;
const POLL_MS = 20;

/** The tool of a server, with whatever a gateway puts before its name. */
const ECHO = /(?:^|[^a-z])echo$/;

/** The name of a server. Some gateways allow only letters and digits. */
export function serverName(index: number): string {
  return `s${String.fromCodePoint(0x61 + index)}`;
}

/** The names of the echo tools, when a list has so many. Asks again and again, as a user who waits for tools does. */
export async function listedTools(client: RawClient, servers: number): Promise<readonly string[]> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const { result } = await client.request('tools/list');
    const names = (result['tools'] as readonly { readonly name: string }[]).map(({ name }) => name);
    const found = names.filter((name) => ECHO.test(name));
    if (found.length >= servers) return found;
    if (performance.now() > deadline)
      throw new Error(
        `lists the tools of ${found.length} of ${servers} servers: ${names.join(', ').slice(0, 300)}`,
      );
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
