import {
  elicited,
  LIST_ROOTS,
  sampled,
  type Answer,
  type Answers,
  type Question,
  type Questions,
  CONFIRM_FORM,
  NAME_FORM,
} from './questions.js';
import { FORM_OF_ONE_TEXT, FORM_WITH_CHOICES, FORM_WITH_DEFAULTS } from './forms.js';

/** A call that needs answers of its client, round after round. */
export interface Asking {
  /** @param declared - the capabilities of the client */
  readonly rounds: (args: Args, declared: Declared) => readonly Questions[];
  /** The text of the result, given the answers of all rounds. */
  readonly text: (answers: Answers) => string;
}

type Args = Readonly<Record<string, unknown>>;
type Declared = Readonly<Record<string, unknown>>;

const NAME = elicited('What is your name?', NAME_FORM);
const GREETING = sampled('Generate a greeting', 50);

function once(questions: Questions, text: Asking['text']): Asking {
  return { rounds: () => [questions], text };
}

function form(requestedSchema: Parameters<typeof elicited>[1]): Asking {
  return once(
    { form: elicited('Please fill in.', requestedSchema) },
    ({ form: answer }) => `Elicitation completed: ${outcome(answer)}`,
  );
}

function outcome(answer: Answer): string {
  return `action=${String(answer?.['action'])}, content=${JSON.stringify(answer?.['content'])}`;
}

function member(answer: Answer, key: string): string {
  const content = answer?.['content'];
  return String(typeof content === 'object' && content !== null ? Reflect.get(content, key) : undefined);
}

function roots(answer: Answer): number {
  const all = answer?.['roots'];
  return Array.isArray(all) ? all.length : 0;
}

/** The tools that ask their client something, by name; the first ones are those of 2025-11-25. */
export const ASKING_TOOLS: Readonly<Record<string, Asking>> = {
  test_sampling: {
    rounds: ({ prompt }) => [{ llm: sampled(String(prompt), 100) }],
    text: ({ llm }) => `LLM response: ${member(llm, 'text')}`,
  },
  test_elicitation: {
    rounds: ({ message }) => [{ form: elicited(String(message), FORM_OF_ONE_TEXT) }],
    text: ({ form: answer }) => `User response: ${outcome(answer)}`,
  },
  test_elicitation_sep1034_defaults: form(FORM_WITH_DEFAULTS),
  test_elicitation_sep1330_enums: form(FORM_WITH_CHOICES),
  test_missing_capability: once(
    { llm: sampled('Reply with the single word: pong', 16) },
    ({ llm }) => `Sampled ${member(llm, 'text')}`,
  ),
  test_input_required_result_elicitation: once(
    { user_name: NAME },
    ({ user_name: name }) => `Hello, ${member(name, 'name')}!`,
  ),
  test_input_required_result_sampling: once(
    { capital_question: sampled('What is the capital of France?', 100) },
    ({ capital_question: capital }) => `Sampling response: ${member(capital, 'text')}`,
  ),
  test_input_required_result_list_roots: once(
    { client_roots: LIST_ROOTS },
    ({ client_roots: all }) => `The client has ${roots(all)} roots: ${JSON.stringify(all)}`,
  ),
  test_input_required_result_request_state: once(
    { confirm: elicited('Please confirm', CONFIRM_FORM) },
    () => 'state-ok: the state and the confirmation have come back',
  ),
  test_input_required_result_tampered_state: once(
    { confirm: elicited('Please confirm', CONFIRM_FORM) },
    () => 'integrity-ok: the state is the one that was given out',
  ),
  test_input_required_result_multiple_inputs: once(
    { user_name: NAME, greeting: GREETING, client_roots: LIST_ROOTS },
    ({ user_name: name, greeting, client_roots: all }) =>
      `${member(greeting, 'text')} ${member(name, 'name')}: ${roots(all)} roots`,
  ),
  test_input_required_result_multi_round: {
    rounds: () => [
      { step1: elicited('Step 1: What is your name?', NAME_FORM) },
      { step2: elicited('Step 2: What is your favorite color?', formOf('color')) },
    ],
    text: ({ step1, step2 }) => `${member(step1, 'name')} likes ${member(step2, 'color')}`,
  },
  test_input_required_result_capabilities: {
    rounds: (_, declared) => [
      Object.fromEntries(
        Object.entries<Question>({ elicitation: NAME, sampling: GREETING, roots: LIST_ROOTS }).filter(
          ([capability]) => declared[capability] !== undefined,
        ),
      ),
    ],
    text: (answers) => `${Object.keys(answers).length} questions were answered`,
  },
};

/** The name of the prompt that asks its client something. */
export const ASKING_PROMPT_NAME = 'test_input_required_result_prompt';
/** The questions of that prompt. */
export const ASKING_PROMPT: Asking = once(
  { user_context: elicited('What context should the prompt use?', formOf('context')) },
  ({ user_context: context }) => `Use the following context: ${member(context, 'context')}`,
);

function formOf(key: string): Parameters<typeof elicited>[1] {
  return { type: 'object', properties: { [key]: { type: 'string' } }, required: [key] };
}
