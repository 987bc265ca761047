import { messageOf } from '@mcpmux/core';
import { isObject, type JsonObject } from '@mcpmux/clients';

import { ExitCode } from '../base/exit-code.js';
import { toolResultText } from '../live/mcp-connection.js';
import { printResult, type Action } from '../terminal/command-context.js';
import { CommandError, usageError } from '../terminal/command-error.js';
import { withSpinner } from '../terminal/spinner.js';
import type { ListFlags } from './list.js';
import { liveServersFor } from './prompts-and-resources.js';
import { isUrl } from '../config/url-config.js';

/** `mcpmux read URI` prints a resource. */
export const read: Action<ListFlags> = async (context, [first = '', second], flags) => {
  const [server, uri] = second === undefined ? [undefined, first] : [first, second];
  if (second !== undefined && !isUrl(server))
    throw usageError(`"${first}" is not the url of a server.`, 'mcpmux read URI, or mcpmux read URL URI');
  await using live = await liveServersFor(context, server, flags);
  const request = live.connection.request('resources/read', { uri });
  const result = await withSpinner(context, `reading ${uri}`, request).catch((error: unknown) => {
    throw requestError(`the resource ${uri} cannot be read`, error, 'mcpmux resources lists what there is');
  });
  const contents: readonly unknown[] = Array.isArray(result['contents']) ? result['contents'] : [];
  if (context.flags.json === true) printResult(context, result, '');
  else context.streams.data(`${contents.filter(isObject).map(contentText).join('\n')}\n`);
  return ExitCode.Ok;
};

/** `mcpmux prompt SERVER.PROMPT name=value` prints the messages of a prompt. */
export const prompt: Action<ListFlags> = async (context, [target = '', ...words], flags) => {
  const { server, name } = /^(?<server>.+?)(?:__|\.)(?<name>.+)$/s.exec(target)?.groups ?? {};
  if (server === undefined || name === undefined)
    throw usageError(
      `"${target}" is not a prompt of a server.`,
      'write SERVER.PROMPT; mcpmux prompts lists them',
    );
  await using live = await liveServersFor(context, server, flags);
  const params = { name: `${server}__${name}`, arguments: Object.fromEntries(words.map(parseArgument)) };
  const request = live.connection.request('prompts/get', params);
  const result = await withSpinner(context, `getting ${target}`, request).catch((error: unknown) => {
    throw requestError(
      `the prompt ${target} cannot be got`,
      error,
      'mcpmux prompts lists prompts and arguments',
    );
  });
  const messages: readonly unknown[] = Array.isArray(result['messages']) ? result['messages'] : [];
  if (context.flags.json === true) printResult(context, result, '');
  else context.streams.data(`${messages.filter(isObject).map(messageText).join('\n\n')}\n`);
  return ExitCode.Ok;
};

function parseArgument(word: string): readonly [string, string] {
  const separator = word.indexOf('=');
  if (separator < 1) throw usageError(`"${word}" is no argument.`, 'write NAME=VALUE');
  return [word.slice(0, separator), word.slice(separator + 1)];
}

function contentText({ text, blob, mimeType }: JsonObject): string {
  if (typeof text === 'string') return text;
  const bytes = typeof blob === 'string' ? Buffer.from(blob, 'base64').length : 0;
  return `[${typeof mimeType === 'string' ? mimeType : 'binary'}, ${bytes} bytes: --json prints them in base64]`;
}

function messageText(message: JsonObject): string {
  return `${String(message['role'])}: ${toolResultText(message)}`;
}

function requestError(what: string, error: unknown, next: string): CommandError {
  return new CommandError('CALL_FAILED', `${what}: ${messageOf(error)}`, { next });
}
