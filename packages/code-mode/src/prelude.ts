/**
 * The first script in a sandbox. It defines the API for the code, and returns the function that runs the code. If the
 * code later changes built-in objects, only the code itself is affected, because only strings leave the sandbox.
 */
export const PRELUDE = String.raw`
((send, write, finish, most) => {
  'use strict';
  const { parse, stringify } = JSON;
  const cut = Function.prototype.call.bind(String.prototype.slice);

  const call = async (name, args = {}) => {
    const { result, isTyped, text } = parse(await send('call', name, stringify(args) ?? '{}'));
    if (result.isError === true) throw new Error(name + ': ' + text);
    if (isTyped && result.structuredContent !== undefined) return result.structuredContent;
    return { ...result, text };
  };

  const withNames = (valueOf) => new Proxy(Object.freeze({}), {
    get: (_, name) => (typeof name === 'symbol' || name === 'then' || name === 'toJSON' ? undefined : valueOf(name)),
  });
  const tools = withNames((server) => withNames((tool) => (args) => call(server + '__' + tool, args)));

  const shown = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return value.name + ': ' + value.message;
    try {
      return stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };
  const log = (...values) => write(cut(values.map(shown).join(' '), 0, most));
  const console = Object.freeze({ log, info: log, warn: log, error: log, debug: log });

  const describe = async (...patterns) => parse(await send('describe', stringify(patterns.flat().map(String)), ''));
  for (const [name, value] of Object.entries({ tools, call, describe, console }))
    Object.defineProperty(globalThis, name, { value });

  const messageOf = (error) => {
    if (!(error instanceof Error)) return 'threw ' + shown(error);
    const where = String(error.stack ?? '').split('\n').find((line) => line.includes('code.js'));
    return error.name + ': ' + error.message + (where === undefined ? '' : '\n' + where);
  };
  return async (code) => {
    try {
      const value = await code();
      finish('value', cut(stringify(value) ?? '', 0, most + 1));
    } catch (error) {
      finish('error', cut(messageOf(error), 0, most));
    }
  };
})
`;
