import * as z from 'zod';

const schema = z.object({
  id: z.string(),
  pid: z.int().positive(),
  socket: z.string().min(1),
  version: z.string(),
  /** Milliseconds since 1970. */
  started: z.number(),
  cwd: z.string(),
  config: z.string().optional(),
  /** Which servers of the config it starts; all when absent. */
  selection: z.object({ only: z.array(z.string()).optional(), profile: z.string().optional() }).optional(),
});

/** What a running mcpmux tells others of itself. */
export type Announcement = z.infer<typeof schema>;

/** Reads an announcement; undefined for anything else. */
export function parseAnnouncement(text: string): Announcement | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
