/** The JSON Schema of the arguments of `add_server`. */
export const ADD_INPUT = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, description: 'New name for the server: no "__", no trailing "_"' },
    command: {
      type: 'string',
      minLength: 1,
      description: 'Program to run: on the PATH, or a path. No shell. This or url',
    },
    args: { type: 'array', items: { type: 'string' }, description: 'Arguments of the program' },
    env: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Environment variables, added to those of mcpmux',
    },
    cwd: { type: 'string', minLength: 1, description: 'Working directory of the program' },
    url: { type: 'string', minLength: 1, description: 'MCP endpoint of a server that runs elsewhere' },
    headers: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'HTTP headers of every request to the url, such as Authorization',
    },
    transport: {
      type: 'string',
      enum: ['auto', 'http', 'sse'],
      description: 'auto by default: Streamable HTTP, else the deprecated SSE',
    },
  },
  required: ['name'],
  additionalProperties: false,
};
