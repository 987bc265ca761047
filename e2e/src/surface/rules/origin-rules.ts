import type { JsonObject } from '../outcome.js';
import { asObject, mapParams, without } from './json.js';
import type { Rule } from './rule.js';

const SERVER_KEY = 'dev.mcpmux/server';

/** People must see which server asks them. */
export const ELICITATION_LABEL: Rule = {
  name: 'elicitation label',
  title: 'The message of an elicitation begins with the name of the server in brackets.',
  apply: ({ direct, through }, server) => ({
    direct,
    through: mapParams(through, 'elicitation/create', (params) => {
      const { message } = params;
      const label = `[${server}] `;
      return typeof message === 'string' && message.startsWith(label)
        ? { ...params, message: message.slice(label.length) }
        : params;
    }),
  }),
};

/** Programs see which server asks for a sampling. */
export const SAMPLING_LABEL: Rule = {
  name: 'sampling label',
  title: `A sampling request names its server in \`_meta["${SERVER_KEY}"]\`.`,
  apply: ({ direct, through }, server) => ({
    direct,
    through: mapParams(through, 'sampling/createMessage', (params) => {
      const meta = asObject(params['_meta']);
      if (meta?.[SERVER_KEY] !== server) return params;
      const rest = without(meta, SERVER_KEY);
      return Object.keys(rest).length === 0 ? without(params, '_meta') : { ...params, _meta: rest };
    }),
  }),
};

/** A log line tells which server it is from. */
export const LOGGER_LABEL: Rule = {
  name: 'logger label',
  title: 'The logger of a log message is the name of the server, with its own logger behind a slash.',
  apply: ({ direct, through }, server) => ({
    direct,
    through: mapParams(through, 'notifications/message', (params) => unlabelled(params, server)),
  }),
};

function unlabelled(params: JsonObject, server: string): JsonObject {
  const { logger } = params;
  if (logger === server) return without(params, 'logger');
  if (typeof logger !== 'string' || !logger.startsWith(`${server}/`)) return params;
  return { ...params, logger: logger.slice(server.length + 1) };
}
