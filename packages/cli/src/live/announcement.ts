import { parsedJson } from '@mcpmux/core';

import { z, type Checked } from '../base/zod.js';

const announcementSchema = z.object({
  id: z.string(),
  pid: z.int().check(z.positive()),
  socket: z.string().check(z.minLength(1)),
  version: z.string(),
  /** The start time, in milliseconds since 1970. */
  started: z.number(),
  cwd: z.string(),
  config: z.optional(z.string()),
  /** True for a shared process. */
  shared: z.optional(z.boolean()),
  /** Selects the servers that the instance starts. If absent, it starts all servers of the config. */
  selection: z.optional(z.object({ only: z.optional(z.array(z.string())), profile: z.optional(z.string()) })),
});

/** The contents of the file that announces a running mcpmux. */
export type Announcement = Checked<typeof announcementSchema>;

/** Parses an announcement. Returns undefined if the text is not a valid announcement. */
export function parseAnnouncement(text: string): Announcement | undefined {
  return announcementSchema.safeParse(parsedJson(text)).data;
}
