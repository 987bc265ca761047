/** Longest start that an agent may ask for, in milliseconds: an hour. */
export const MAX_START_TIMEOUT_MS = 3_600_000;
/** Longest silence of a call that an agent may ask for, in milliseconds: a day. */
export const MAX_CALL_TIMEOUT_MS = 86_400_000;

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
      description: 'Environment variables, added to those inherited',
    },
    cwd: { type: 'string', minLength: 1, description: 'Working directory of the program' },
    inheritEnv: {
      type: 'string',
      enum: ['all', 'safe', 'none'],
      description: 'What the program inherits of the environment; all by default, safe is a short list',
    },
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
    startTimeoutMs: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_START_TIMEOUT_MS,
      description: 'For a slow first start; 60000 by default',
    },
    restart: {
      type: 'string',
      enum: ['never', 'on-failure', 'always'],
      description: 'Whether it starts again by itself; never by default',
    },
    callTimeoutMs: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_CALL_TIMEOUT_MS,
      description: 'A call without a sign of life for so long is given up; none by default',
    },
  },
  required: ['name'],
  additionalProperties: false,
};
