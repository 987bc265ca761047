/** A form's schema. */
interface Form {
  readonly type?: 'object';
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, { readonly type: string }>>;
}

/** A request to the client, in any era. */
export interface Question {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Readonly<Record<string, unknown>>;
  readonly form?: Form;
}

/** Questions to ask together, by key. */
export type Questions = Readonly<Record<string, Question>>;

/** The answers received so far, by the keys of the questions. */
export type Answers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The client's answer to one question, or undefined before it has been received. */
export type Answer = Answers[string] | undefined;

/** A form that asks for a name. */
export const NAME_FORM: Form = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
};
/** A form that asks for confirmation. */
export const CONFIRM_FORM: Form = {
  type: 'object',
  properties: { ok: { type: 'boolean' } },
  required: ['ok'],
};

/** The client capability that a question requires. */
export const REQUIRED_CAPABILITY = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
} as const;

/** A request for the client's roots. */
export const ROOTS_QUESTION: Question = { method: 'roots/list', params: {} };

/** Returns a question for the user. */
export function formQuestion(message: string, requestedSchema: Partial<Form>): Question {
  const form = { required: [], properties: {}, ...requestedSchema };
  return { method: 'elicitation/create', params: { message, requestedSchema }, form };
}

/** Returns a question for the client's model. */
export function samplingQuestion(text: string, maxTokens: number): Question {
  const messages = [{ role: 'user', content: { type: 'text', text } }];
  return { method: 'sampling/createMessage', params: { messages, maxTokens } };
}

/** True if a client has answered the question. If it accepted a form, all required fields must be present. */
export function isValidAnswer({ form }: Question, answer: unknown): boolean {
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
