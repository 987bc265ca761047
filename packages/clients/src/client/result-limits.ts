/** The size above which a client truncates a tool result, or moves it out of the conversation. */
export interface ClientResultLimit {
  /** The prefix of the client's name in `clientInfo`, in lowercase. */
  readonly client: string;
  /** The maximum size, counted in `unit`. */
  readonly most: number;
  /** The unit of the limit: characters of a result's text, or bytes of its JSON. */
  readonly unit: 'bytes' | 'characters';
  /** The key in a tool's `_meta` that raises the limit for that tool, and the highest limit that it can set. */
  readonly raisedBy?: { readonly key: string; readonly most: number };
  /** The URL of the vendor's documentation. */
  readonly source: string;
  /** The date on which the documentation was last checked. */
  readonly read: string;
}

/** The published limits, by client. To support another client, add an entry. */
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
    // Codex limits a result to 10,000 tokens (`truncation_policy` in `models.json`), and counts 4 bytes per token.
    client: 'codex',
    most: 40_000,
    unit: 'bytes',
    source: 'https://github.com/openai/codex/blob/main/codex-rs/models-manager/models.json',
    read: '2026-11-30',
  },
];
