import type { Json, JsonObject, Outcome, Seen } from '../outcome.js';

/** The value when it is an object. */
export function asObject(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** The value when it is a string, else an empty one. */
export function asText(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value with every string in it replaced; `key` is that of the closest object around it. */
export function mapStrings<T extends Json>(value: T, change: (text: string, key: string) => string): T {
  const walk = (one: Json, key: string): Json => {
    if (typeof one === 'string') return change(one, key);
    if (Array.isArray(one)) return one.map((item) => walk(item as Json, key));
    const object = asObject(one);
    if (object === undefined) return one;
    return Object.fromEntries(Object.entries(object).map(([name, item]) => [name, walk(item, name)]));
  };
  return walk(value, '') as T;
}

/** The outcome with every string in it replaced. */
export function mapOutcomeStrings(outcome: Outcome, change: (text: string, key: string) => string): Outcome {
  return outcome.map((seen) => {
    if (seen.kind === 'result') return { ...seen, result: mapStrings(seen.result, change) };
    if (seen.kind === 'error') return { ...seen, error: mapStrings(seen.error, change) };
    if (seen.kind === 'request' || seen.kind === 'notification') {
      return { ...seen, params: mapStrings(seen.params, change) };
    }
    return seen;
  });
}

/** The outcome with the results of one method replaced. */
export function mapResults(
  outcome: Outcome,
  to: string,
  change: (result: JsonObject) => JsonObject,
): Outcome {
  return outcome.map((seen) =>
    seen.kind === 'result' && seen.to === to ? { ...seen, result: change(seen.result) } : seen,
  );
}

/** The outcome with the params of requests and notifications of one method replaced. */
export function mapParams(
  outcome: Outcome,
  method: string,
  change: (params: JsonObject) => JsonObject,
): Outcome {
  return outcome.map((seen: Seen) =>
    (seen.kind === 'request' || seen.kind === 'notification') && seen.method === method
      ? { ...seen, params: change(seen.params) }
      : seen,
  );
}

/** An object without one member. */
export function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

/** A JSON-RPC message with its members in the order of the alphabet; any other text as it is. */
export function sorted(text: string): string {
  if (!text.includes('"jsonrpc"')) return text;
  const message: JsonObject = JSON.parse(text);
  return JSON.stringify(Object.fromEntries(Object.entries(message).toSorted(([a], [b]) => (a < b ? -1 : 1))));
}
