import { parseJsonObject } from '../base/json-object.js';
import { z, type Checked } from '../base/zod.js';

const openingSchema = z.union([
  z.object({
    for: z.literal('window'),
    cwd: z.string(),
    /** The number of shared processes that served the window before this one. */
    epoch: z.number(),
    pid: z.number(),
    /** The version of the relay. An older process refuses the window. If absent, any process serves the window. */
    version: z.optional(z.string()),
    /** The servers that agents have added, as the previous process reported them. */
    added: z.array(z.unknown()),
  }),
  /** A session of a command, with the servers for the command's folder. */
  z.object({ for: z.literal('command'), cwd: z.string() }),
  /** A session of another mcpmux, with the servers of a window. */
  z.object({ for: z.literal('instance'), window: z.number() }),
  /** A connection for requests `mcpmux/…`, which administer the instance. It carries no MCP session. */
  z.object({ for: z.literal('administration') }),
  /** A request for a proof that the process is an instance of this user. Another first line follows the response. */
  z.object({ for: z.literal('proof'), nonce: z.string() }),
]);

/** The first message of a connection, for an MCP session or administration. Further messages follow the response. */
export type Opening = Exclude<OpeningParams, Challenge>;

/** A request for a proof, which precedes the opening. */
export type Challenge = Extract<OpeningParams, { readonly for: 'proof' }>;

type OpeningParams = Checked<typeof openingSchema>;

/** The opening of a window's session. */
export type WindowOpening = Extract<Opening, { readonly for: 'window' }>;

/** Parses an opening line. Returns undefined if the line is not an opening. */
export function parseOpening(line: string): Opening | Challenge | undefined {
  return openingSchema.safeParse(parseJsonObject(line)?.['params']).data;
}
