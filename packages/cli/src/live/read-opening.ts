import { jsonObject } from '../base/json-object.js';
import { z, type Checked } from '../base/zod.js';

const schema = z.union([
  z.object({
    for: z.literal('window'),
    cwd: z.string(),
    /** The number of shared processes that the window had before. */
    epoch: z.number(),
    pid: z.number(),
    /** The version of the relay. An older process does not serve the window. When absent, any process serves it. */
    version: z.optional(z.string()),
    /** The servers that agents have added, as the last process reported them. */
    added: z.array(z.unknown()),
  }),
  /** A session of a command, which has the servers for its folder. */
  z.object({ for: z.literal('command'), cwd: z.string() }),
  /** A session of another mcpmux, which has a window's servers. */
  z.object({ for: z.literal('instance'), window: z.number() }),
  /** Requests `mcpmux/…` of a command, which administer the instance. No session of MCP begins. */
  z.object({ for: z.literal('administration') }),
  /** Requests a proof that the process is an instance of this user. Another first line follows the response. */
  z.object({ for: z.literal('proof'), nonce: z.string() }),
]);

/**
 * Begins an MCP session with a running mcpmux, or its administration, as the first message of a connection. Further
 * messages follow the response.
 */
export type Opening = Exclude<Beginning, Challenge>;

/** Requests a proof before anything else is sent. */
export type Challenge = Extract<Beginning, { readonly for: 'proof' }>;

type Beginning = Checked<typeof schema>;

/** Begins the session of a window. */
export type WindowOpening = Extract<Opening, { readonly for: 'window' }>;

/** Parses the line of an opening. Returns undefined if the line is not an opening. */
export function readOpening(line: string): Opening | Challenge | undefined {
  return schema.safeParse(jsonObject(line)?.['params']).data;
}
