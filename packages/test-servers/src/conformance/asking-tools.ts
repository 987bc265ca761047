import {
  elicitation,
  LIST_ROOTS,
  samplingRequest,
  type Answer,
  type Answers,
  type Question,
  type Questions,
  CONFIRM_FORM,
  NAME_FORM,
} from './questions.js';
import { FORM_OF_ONE_TEXT, FORM_WITH_CHOICES, FORM_WITH_DEFAULTS } from './forms.js';

/** A call that needs answers from its client, in one or more rounds. */
export interface InteractiveCall {
  /** @param declared - the capabilities of the client */
  readonly rounds: (args: Args, declared: Declared) => readonly Questions[];
  /** Returns the text of the result from the answers of all rounds. */
  readonly text: (answers: Answers) => string;
}

type Args = Readonly<Record<string, unknown>>;
type Declared = Readonly<Record<string, unknown>>;

const NAME = elicitation('What is your name?', NAME_FORM);
const GREETING = samplingRequest('Generate a greeting', 50);

function singleRound(questions: Questions, text: InteractiveCall['text']): InteractiveCall {
  return { rounds: () => [questions], text };
}

function form(requestedSchema: Parameters<typeof elicitation>[1]): InteractiveCall {
  return singleRound(
    { form: elicitation('Please fill in.', requestedSchema) },
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

/** The tools that ask their client questions, by name. The tools of 2025-11-25 come first. */
export const ASKING_TOOLS: Readonly<Record<string, InteractiveCall>> = {
  test_sampling: {
    rounds: ({ prompt }) => [{ llm: samplingRequest(String(prompt), 100) }],
    text: ({ llm }) => `LLM response: ${member(llm, 'text')}`,
  },
  test_elicitation: {
    rounds: ({ message }) => [{ form: elicitation(String(message), FORM_OF_ONE_TEXT) }],
    text: ({ form: answer }) => `User response: ${outcome(answer)}`,
  },
  test_elicitation_sep1034_defaults: form(FORM_WITH_DEFAULTS),
  test_elicitation_sep1330_enums: form(FORM_WITH_CHOICES),
  test_missing_capability: singleRound(
    { llm: samplingRequest('Reply with the single word: pong', 16) },
    ({ llm }) => `Sampled ${member(llm, 'text')}`,
  ),
  test_input_required_result_elicitation: singleRound(
    { user_name: NAME },
    ({ user_name: name }) => `Hello, ${member(name, 'name')}!`,
  ),
  test_input_required_result_sampling: singleRound(
    { capital_question: samplingRequest('What is the capital of France?', 100) },
    ({ capital_question: capital }) => `Sampling response: ${member(capital, 'text')}`,
  ),
  test_input_required_result_list_roots: singleRound(
    { client_roots: LIST_ROOTS },
    ({ client_roots: all }) => `The client has ${roots(all)} roots: ${JSON.stringify(all)}`,
  ),
  test_input_required_result_request_state: singleRound(
    { confirm: elicitation('Please confirm', CONFIRM_FORM) },
    () => 'state-ok: the state and the confirmation have come back',
  ),
  test_input_required_result_tampered_state: singleRound(
    { confirm: elicitation('Please confirm', CONFIRM_FORM) },
    () => 'integrity-ok: the state is the one that was given out',
  ),
  test_input_required_result_multiple_inputs: singleRound(
    { user_name: NAME, greeting: GREETING, client_roots: LIST_ROOTS },
    ({ user_name: name, greeting, client_roots: all }) =>
      `${member(greeting, 'text')} ${member(name, 'name')}: ${roots(all)} roots`,
  ),
  test_input_required_result_multi_round: {
    rounds: () => [
      { step1: elicitation('Step 1: What is your name?', NAME_FORM) },
      { step2: elicitation('Step 2: What is your favorite color?', formOf('color')) },
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

/** The name of the prompt that asks its client a question. */
export const ASKING_PROMPT_NAME = 'test_input_required_result_prompt';
/** The call of this prompt, with its question. */
export const ASKING_PROMPT: InteractiveCall = singleRound(
  { user_context: elicitation('What context should the prompt use?', formOf('context')) },
  ({ user_context: context }) => `Use the following context: ${member(context, 'context')}`,
);

function formOf(key: string): Parameters<typeof elicitation>[1] {
  return { type: 'object', properties: { [key]: { type: 'string' } }, required: [key] };
}
