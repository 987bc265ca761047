/** What one client's documentation gives as its format, and what of it can be started here. */
export interface ClientConfig {
  readonly client: string;
  readonly text: string;
  /** Status of every server, by name. */
  readonly servers: Readonly<Record<string, string>>;
}

/** Variables that the files below use. */
export const CLIENT_ENVIRONMENT = {
  HOME: '/home/ann',
  GITHUB_TOKEN: 'gh',
  MY_API_TOKEN: 'api',
  API_KEY: 'key',
};

/** The formats of clients, after their public documentation. */
export const CLIENT_CONFIGS: readonly ClientConfig[] = [
  {
    client: 'Claude Code (.mcp.json)',
    text: `{
      "mcpServers": {
        "db": { "type": "stdio", "command": "npx", "args": ["-y", "@bytebase/dbhub", "--dsn", "\${DSN:-sqlite://x}"], "env": {} },
        "api": { "type": "http", "url": "\${API_BASE_URL:-https://api.example.com}/mcp",
                 "headers": { "Authorization": "Bearer \${API_KEY}" }, "alwaysLoad": true },
        "asana": { "type": "sse", "url": "https://mcp.asana.com/sse", "headersHelper": "/opt/bin/headers.sh",
                   "oauth": { "clientId": "id", "callbackPort": 8080 } }
      }
    }`,
    servers: { db: 'ready', api: 'ready', asana: 'ready' },
  },
  {
    client: 'Claude Desktop',
    text: `{
      "mcpServers": {
        "filesystem": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/ann/Desktop"] }
      }
    }`,
    servers: { filesystem: 'ready' },
  },
  {
    client: 'Cursor',
    text: `{
      "mcpServers": {
        "local": { "type": "stdio", "command": "npx", "args": ["-y", "mcp-server"],
                   "env": { "API_KEY": "\${env:API_KEY}", "ROOT": "\${workspaceFolder}\${/}src" } },
        "remote": { "url": "http://localhost:3000/mcp", "headers": { "API_KEY": "\${env:API_KEY}" } }
      }
    }`,
    servers: { local: 'ready', remote: 'ready' },
  },
  {
    client: 'VS Code',
    text: `{
      // asked for once
      "inputs": [{ "type": "promptString", "id": "perplexity-key", "description": "Key", "password": true }],
      "servers": {
        "fetch": { "type": "stdio", "command": "uvx", "args": ["mcp-server-fetch"], "sandboxEnabled": true,
                   "sandbox": { "filesystem": { "allowWrite": ["\${workspaceFolder}"] } },
                   "dev": { "watch": "src/**/*.ts", "debug": { "type": "node" } } },
        "github": { "type": "http", "url": "https://api.githubcopilot.com/mcp", "gallery": true, "version": "1.0.0" },
      }
    }`,
    servers: { fetch: 'ready', github: 'ready' },
  },
  {
    client: 'Windsurf',
    text: `{
      "mcpServers": {
        "github": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-github"],
                    "env": { "GITHUB_PERSONAL_ACCESS_TOKEN": "\${env:GITHUB_TOKEN}" }, "disabledTools": [] },
        "remote": { "serverUrl": "https://example.com/mcp", "headers": { "X": "\${env:GITHUB_TOKEN}" } }
      }
    }`,
    servers: { github: 'ready', remote: 'ready' },
  },
  {
    client: 'Gemini CLI',
    text: `{
      "mcp": { "allowed": ["python"] },
      "mcpServers": {
        "python": { "command": "python", "args": ["-m", "my_mcp_server", "--port", "8080"], "cwd": "./mcp-servers/python",
                    "env": { "TOKEN": "$MY_API_TOKEN", "URL": "\${API_KEY}" }, "timeout": 15000, "trust": false,
                    "includeTools": ["safe_tool"], "excludeTools": ["dangerous_tool"] },
        "http": { "httpUrl": "http://localhost:3000/mcp", "headers": { "Authorization": "Bearer x" }, "timeout": 5000,
                  "authProviderType": "google_credentials", "oauth": { "scopes": ["a"] } },
        "sse": { "url": "http://localhost:8080/sse" }
      }
    }`,
    servers: { python: 'ready', http: 'ready', sse: 'ready' },
  },
  {
    client: 'Cline',
    text: `{
      "mcpServers": {
        "github.com/modelcontextprotocol/servers/tree/main/src/time": {
          "command": "uvx", "args": ["mcp-server-time"], "alwaysAllow": ["get_time"], "autoApprove": [],
          "disabled": false, "timeout": 60 },
        "off": { "command": "uvx", "args": ["x"], "disabled": true },
        "remote": { "type": "streamableHttp", "url": "https://example.com/mcp", "disabled": false }
      }
    }`,
    servers: {
      'github.com/modelcontextprotocol/servers/tree/main/src/time': 'ready',
      off: 'disabled',
      remote: 'ready',
    },
  },
  {
    client: 'Roo Code',
    text: `{
      "mcpServers": {
        "my_server": { "command": "node", "args": ["build/index.js"], "cwd": "\${workspaceFolder}", "alwaysAllow": ["tool1"],
                       "disabledTools": ["tool3"], "watchPaths": ["build/index.js"], "disabled": false, "timeout": 60 },
        "remote": { "type": "streamable-http", "url": "https://example.com/mcp", "headers": { "A": "\${env:API_KEY}" } }
      }
    }`,
    servers: { my_server: 'ready', remote: 'ready' },
  },
  {
    client: 'Kiro',
    text: `{
      "mcpServers": {
        "web-search": { "command": "npx", "args": ["-y", "server-bravesearch"], "env": { "BRAVE_API_KEY": "\${API_KEY}" },
                        "disabled": false, "autoApprove": "*", "disabledTools": [] }
      }
    }`,
    servers: { 'web-search': 'ready' },
  },
  {
    client: 'Copilot CLI',
    text: `{
      "mcpServers": {
        "playwright": { "type": "local", "command": "npx", "args": ["@playwright/mcp@latest"], "env": {}, "tools": ["*"] },
        "context7": { "type": "http", "url": "https://mcp.context7.com/mcp", "headers": {}, "tools": ["*"] }
      }
    }`,
    servers: { playwright: 'ready', context7: 'ready' },
  },
  {
    client: 'LM Studio',
    text: `{ "mcpServers": { "hf": { "url": "https://huggingface.co/mcp", "headers": { "Authorization": "Bearer x" } } } }`,
    servers: { hf: 'ready' },
  },
];
