/** The fields of an accepted form. */
interface Form {
  readonly type?: 'object';
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, { readonly type: string }>>;
}

/** A request to the client, whichever way it is put. */
export interface Question {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Readonly<Record<string, unknown>>;
  readonly form?: Form;
}

/** Questions that are asked at the same time. */
export type Questions = Readonly<Record<string, Question>>;

/** The answers so far, by the keys of the questions. */
export type Answers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The answer of the client to one question; undefined before the answer. */
export type Answer = Answers[string] | undefined;

/** A form for a name. */
export const NAME_FORM: Form = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
};
/** A form for a consent. */
export const CONFIRM_FORM: Form = {
  type: 'object',
  properties: { ok: { type: 'boolean' } },
  required: ['ok'],
};

/** The capability of a client that a question needs. */
export const NEEDED = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
} as const;

/** The question for the roots of the client. */
export const LIST_ROOTS: Question = { method: 'roots/list', params: {} };

/** A question for the user. */
export function elicited(message: string, requestedSchema: Partial<Form>): Question {
  const form = { required: [], properties: {}, ...requestedSchema };
  return { method: 'elicitation/create', params: { message, requestedSchema }, form };
}

/** A question for the model of the client. */
export function sampled(text: string, maxTokens: number): Question {
  const messages = [{ role: 'user', content: { type: 'text', text } }];
  return { method: 'sampling/createMessage', params: { messages, maxTokens } };
}

/** True if a client has answered a question as it was asked: an accepted form has all required fields. */
export function isAnswer({ form }: Question, answer: unknown): boolean {
  if (!isObject(answer)) return false;
  if (form === undefined) return true;
  if (answer['action'] !== 'accept') return 'action' in answer;
  const content = answer['content'];
  return (
    isObject(content) &&
    form.required.every((key) => typeof content[key] === (form.properties[key]?.type ?? 'string'))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
