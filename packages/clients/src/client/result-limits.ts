/** The length above which a client cuts the result of a tool, or moves it out of the conversation. */
export interface ClientResultLimit {
  /** The beginning of the name that the client gives itself, in lower case. */
  readonly client: string;
  /** The limit, counted in `unit`. */
  readonly most: number;
  /** The characters of the text in a result, or the bytes of its JSON. */
  readonly unit: 'bytes' | 'characters';
  /** The number in the `_meta` of a tool that replaces `most` for the tool, up to a maximum. */
  readonly raisedBy?: { readonly key: string; readonly most: number };
  /** Where the vendor says so. */
  readonly source: string;
  /** The day on which the source was read. */
  readonly read: string;
}

/** The clients whose limits are published. To add one, add its line. */
export const RESULT_LIMITS: readonly ClientResultLimit[] = [
  {
    client: 'claude-code',
    most: 50_000,
    unit: 'characters',
    raisedBy: { key: 'anthropic/maxResultSizeChars', most: 500_000 },
    source: 'https://code.claude.com/docs/en/mcp#mcp-output-limits-and-warnings',
    read: '2026-11-30',
  },
  {
    // 10,000 tokens (`truncation_policy` of its models), which Codex counts as 4 bytes each.
    client: 'codex',
    most: 40_000,
    unit: 'bytes',
    source: 'https://github.com/openai/codex/blob/main/codex-rs/models-manager/models.json',
    read: '2026-11-30',
  },
];
