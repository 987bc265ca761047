import { parseJsonObject } from '../base/json-object.js';
import { z, type Checked } from '../base/zod.js';

const openingSchema = z.union([
  z.object({
    for: z.literal('window'),
    cwd: z.string(),
    /** The number of shared processes that served the window before this one. */
    epoch: z.number(),
    pid: z.number(),
    /** The relay's version. An older process refuses the window. If absent, any process accepts the window. */
    version: z.optional(z.string()),
    /** The servers that agents have added, as the window's previous shared process reported them. */
    added: z.array(z.unknown()),
  }),
  /** A session for an `mcpmux` command, with the servers for the folder `cwd`. */
  z.object({ for: z.literal('command'), cwd: z.string() }),
  /** A session that another mcpmux opens, with the servers of one window. */
  z.object({ for: z.literal('instance'), window: z.number() }),
  /** A connection for administration requests (`mcpmux/…`), without an MCP session. */
  z.object({ for: z.literal('administration') }),
  /** A request for proof that the process is an instance of this user. The opening follows after the response. */
  z.object({ for: z.literal('proof'), nonce: z.string() }),
]);

/** The message that opens a connection for an MCP session or for administration. Only a challenge may precede it. */
export type Opening = Exclude<OpeningParams, Challenge>;

/** A request for proof that the process is an instance of this user. It precedes the opening. */
export type Challenge = Extract<OpeningParams, { readonly for: 'proof' }>;

type OpeningParams = Checked<typeof openingSchema>;

/** The message with which a relay opens a window's session. */
export type WindowOpening = Extract<Opening, { readonly for: 'window' }>;

/** Parses an opening or a challenge. Returns undefined for any other line. */
export function parseOpening(line: string): Opening | Challenge | undefined {
  return openingSchema.safeParse(parseJsonObject(line)?.['params']).data;
}
