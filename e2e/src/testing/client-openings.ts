/** How a client begins, line for line as its users have captured it, and how it calls a tool. */
export interface ClientOpening {
  readonly client: string;
  readonly initialize: string;
  /** What it sends when `initialize` was answered, without waiting for the answers. */
  readonly next: readonly string[];
  /** Ids of the requests among them. */
  readonly asked: readonly number[];
  readonly call: (tool: string, message: string) => { readonly id: number; readonly line: string };
  readonly revision: string;
}

/** All that follows the handshake of Claude Code, whatever its version. */
const CLAUDE_CODE: Pick<ClientOpening, 'revision' | 'next' | 'asked' | 'call'> = {
  revision: '2025-11-25',
  next: [
    '{"method":"notifications/initialized","jsonrpc":"2.0"}',
    '{"method":"tools/list","jsonrpc":"2.0","id":1}',
    '{"method":"prompts/list","jsonrpc":"2.0","id":2}',
    '{"method":"resources/list","jsonrpc":"2.0","id":3}',
  ],
  asked: [1, 2, 3],
  call: (tool, message) => ({
    id: 4,
    line: `{"method":"tools/call","params":{"name":"${tool}","arguments":{"message":"${message}"},"_meta":{"claudecode/toolUseId":"toolu_01","progressToken":4}},"jsonrpc":"2.0","id":4}`,
  }),
};

/** Order of keys, ids from 0 and metadata are those of each client: Claude Code puts the id last, Codex a token into every request. */
export const CLIENT_OPENINGS: readonly ClientOpening[] = [
  {
    ...CLAUDE_CODE,
    client: 'Claude Code 2.0',
    initialize:
      '{"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"claude-code","version":"2.0.73"}},"jsonrpc":"2.0","id":0}',
  },
  {
    ...CLAUDE_CODE,
    client: 'Claude Code 2.1',
    initialize:
      '{"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{},"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"claude-code","title":"Claude Code","version":"2.1.77","websiteUrl":"https://claude.com/claude-code"}},"jsonrpc":"2.0","id":0}',
  },
  {
    client: 'Codex 0.154',
    revision: '2025-06-18',
    initialize:
      '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"codex-mcp-client","title":"Codex","version":"0.154.0"}}}',
    next: [
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"progressToken":0}}}',
    ],
    asked: [1],
    call: (tool, message) => ({
      id: 2,
      line: `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{"progressToken":1},"name":"${tool}","arguments":{"message":"${message}"}}}`,
    }),
  },
];
