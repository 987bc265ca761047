import { isRecord } from './is-record.js';

/** The `params` of a request that mcpmux itself consumes, parsed. For a line that was read as a message before. */
export function paramsOf(line: Buffer): Readonly<Record<string, unknown>> {
  const message: unknown = JSON.parse(line.toString('utf8'));
  const params = isRecord(message) ? message['params'] : undefined;
  return isRecord(params) ? params : {};
}
