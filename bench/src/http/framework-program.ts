import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

import { payloadOf } from '../payload.js';

/** The parts of zod that the programs need. */
export interface Zod {
  readonly z: { object(shape: object): object; string(): object };
}

/** The tool of each program, without its schema. */
export const echoDefinition = { name: 'echo', description: 'Answers with what the command line says.' };

/** The words of the command line: `FOLDER PORT PAYLOAD`. */
interface FrameworkCommand {
  readonly folder: string;
  readonly port: number;
  /** The answer to each call. */
  readonly answer: Readonly<Record<string, unknown>>;
}

/** Reads the command line. */
export function commandLine(): FrameworkCommand {
  const [folder = '', port = '0', payload = ''] = process.argv.slice(2);
  return { folder, port: Number(port), answer: payloadOf(payload).result() };
}

/**
 * Imports a package that is installed in a folder outside this repository. Node.js needs the flag
 * `--experimental-import-meta-resolve` for that.
 */
export async function importFrom<Module>(folder: string, name: string): Promise<Module> {
  const from = pathToFileURL(join(folder, 'package.json'));
  return (await import(import.meta.resolve(name, from))) as Module;
}
