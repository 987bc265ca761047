import {
  formQuestion,
  ROOTS_QUESTION,
  samplingQuestion,
  type Answer,
  type Answers,
  type Question,
  type Questions,
  CONFIRM_FORM,
  NAME_FORM,
} from './questions.js';
import { FORM_OF_ONE_TEXT, FORM_WITH_CHOICES, FORM_WITH_DEFAULTS } from './forms.js';

/** A call that needs its client's answers, in one or more rounds. */
export interface InteractiveCall {
  /** @param declared - the capabilities that the client has declared */
  readonly rounds: (args: Args, declared: ClientCapabilities) => readonly Questions[];
  /** Returns the result's text, given the answers of all rounds. */
  readonly text: (answers: Answers) => string;
}

type Args = Readonly<Record<string, unknown>>;
type ClientCapabilities = Readonly<Record<string, unknown>>;

const NAME_QUESTION = formQuestion('What is your name?', NAME_FORM);
const GREETING_QUESTION = samplingQuestion('Generate a greeting', 50);

function singleRoundCall(questions: Questions, text: InteractiveCall['text']): InteractiveCall {
  return { rounds: () => [questions], text };
}

function formCall(requestedSchema: Parameters<typeof formQuestion>[1]): InteractiveCall {
  return singleRoundCall(
    { form: formQuestion('Please fill in.', requestedSchema) },
    ({ form: answer }) => `Elicitation completed: ${describeOutcome(answer)}`,
  );
}

function describeOutcome(answer: Answer): string {
  return `action=${String(answer?.['action'])}, content=${JSON.stringify(answer?.['content'])}`;
}

function contentMember(answer: Answer, key: string): string {
  const content = answer?.['content'];
  return String(typeof content === 'object' && content !== null ? Reflect.get(content, key) : undefined);
}

function countRoots(answer: Answer): number {
  const all = answer?.['roots'];
  return Array.isArray(all) ? all.length : 0;
}

/** The tools that ask their client questions, by name. Those for 2025-11-25 come first. */
export const ASKING_TOOLS: Readonly<Record<string, InteractiveCall>> = {
  test_sampling: {
    rounds: ({ prompt }) => [{ llm: samplingQuestion(String(prompt), 100) }],
    text: ({ llm }) => `LLM response: ${contentMember(llm, 'text')}`,
  },
  test_elicitation: {
    rounds: ({ message }) => [{ form: formQuestion(String(message), FORM_OF_ONE_TEXT) }],
    text: ({ form: answer }) => `User response: ${describeOutcome(answer)}`,
  },
  test_elicitation_sep1034_defaults: formCall(FORM_WITH_DEFAULTS),
  test_elicitation_sep1330_enums: formCall(FORM_WITH_CHOICES),
  test_missing_capability: singleRoundCall(
    { llm: samplingQuestion('Reply with the single word: pong', 16) },
    ({ llm }) => `Sampled ${contentMember(llm, 'text')}`,
  ),
  test_input_required_result_elicitation: singleRoundCall(
    { user_name: NAME_QUESTION },
    ({ user_name: name }) => `Hello, ${contentMember(name, 'name')}!`,
  ),
  test_input_required_result_sampling: singleRoundCall(
    { capital_question: samplingQuestion('What is the capital of France?', 100) },
    ({ capital_question: capital }) => `Sampling response: ${contentMember(capital, 'text')}`,
  ),
  test_input_required_result_list_roots: singleRoundCall(
    { client_roots: ROOTS_QUESTION },
    ({ client_roots: all }) => `The client has ${countRoots(all)} roots: ${JSON.stringify(all)}`,
  ),
  test_input_required_result_request_state: singleRoundCall(
    { confirm: formQuestion('Please confirm', CONFIRM_FORM) },
    () => 'state-ok: the state and the confirmation have come back',
  ),
  test_input_required_result_tampered_state: singleRoundCall(
    { confirm: formQuestion('Please confirm', CONFIRM_FORM) },
    () => 'integrity-ok: the state is the one that was given out',
  ),
  test_input_required_result_multiple_inputs: singleRoundCall(
    { user_name: NAME_QUESTION, greeting: GREETING_QUESTION, client_roots: ROOTS_QUESTION },
    ({ user_name: name, greeting, client_roots: all }) =>
      `${contentMember(greeting, 'text')} ${contentMember(name, 'name')}: ${countRoots(all)} roots`,
  ),
  test_input_required_result_multi_round: {
    rounds: () => [
      { step1: formQuestion('Step 1: What is your name?', NAME_FORM) },
      { step2: formQuestion('Step 2: What is your favorite color?', formOf('color')) },
    ],
    text: ({ step1, step2 }) => `${contentMember(step1, 'name')} likes ${contentMember(step2, 'color')}`,
  },
  test_input_required_result_capabilities: {
    rounds: (_, declared) => [
      Object.fromEntries(
        Object.entries<Question>({
          elicitation: NAME_QUESTION,
          sampling: GREETING_QUESTION,
          roots: ROOTS_QUESTION,
        }).filter(([capability]) => declared[capability] !== undefined),
      ),
    ],
    text: (answers) => `${Object.keys(answers).length} questions were answered`,
  },
};

/** The name of the prompt that asks its client a question. */
export const ASKING_PROMPT_NAME = 'test_input_required_result_prompt';
/** The prompt as a call with one question. */
export const ASKING_PROMPT: InteractiveCall = singleRoundCall(
  { user_context: formQuestion('What context should the prompt use?', formOf('context')) },
  ({ user_context: context }) => `Use the following context: ${contentMember(context, 'context')}`,
);

function formOf(key: string): Parameters<typeof formQuestion>[1] {
  return { type: 'object', properties: { [key]: { type: 'string' } }, required: [key] };
}
