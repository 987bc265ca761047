import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { NODE } from './built-cli.js';

/** A server of few lines, which is up in the time that Node.js needs. Its tools are those of the file that it gets. */
const PROGRAM = `
const tools = require(process.argv[2]).map((name) => ({ name, inputSchema: { type: 'object' } }));
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'build', version: '1' },
  }),
  'tools/list': () => ({ tools }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = results[method]?.(params) ?? {};
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});
`;

/** A server whose program a test builds again, with other tools. */
export class BuildServer {
  readonly config: { readonly command: string; readonly args: readonly string[] };
  private readonly tools: string;

  private constructor(folder: string, program: string) {
    this.tools = join(folder, 'tools.json');
    this.config = { command: NODE, args: [program, this.tools] };
  }

  /** Writes the program into a folder. */
  static async in(folder: string): Promise<BuildServer> {
    const program = join(folder, 'server.cjs');
    await writeFile(program, PROGRAM);
    return new BuildServer(folder, program);
  }

  /** From its next start on it has these tools. */
  async build(...tools: readonly string[]): Promise<void> {
    await writeFile(this.tools, JSON.stringify(tools));
  }
}
