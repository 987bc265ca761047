import * as z from 'zod';

import { FORM_OF_ONE_TEXT, FORM_WITH_CHOICES, FORM_WITH_DEFAULTS } from './forms.js';
import { AUDIO, embedded, IMAGE, text } from './samples.js';

/** What a tool can do while it runs. */
export interface ToolContext {
  readonly args: Readonly<Record<string, unknown>>;
  readonly progressToken: string | number | undefined;
  readonly notify: (method: string, params: Record<string, unknown>) => Promise<void>;
  readonly ask: <Schema extends z.ZodType>(
    method: string,
    params: Record<string, unknown>,
    schema: Schema,
  ) => Promise<z.output<Schema>>;
}

type Content = readonly Readonly<Record<string, unknown>>[];
type Tool = (context: ToolContext) => Content | Promise<Content>;

const ANSWERED_FORM = z.looseObject({ action: z.string(), content: z.unknown() });
const SAMPLED = z.looseObject({ content: z.looseObject({ text: z.string() }) });

async function elicit({ ask }: ToolContext, message: string, requestedSchema: object): Promise<string> {
  const { action, content } = await ask('elicitation/create', { message, requestedSchema }, ANSWERED_FORM);
  return `action=${action}, content=${JSON.stringify(content)}`;
}

function form(schema: object): Tool {
  return async (context) => [
    text(`Elicitation completed: ${await elicit(context, 'Please fill in.', schema)}`),
  ];
}

/** The tools that the scenarios of the conformance suite call, by name. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  test_simple_text: () => [text('This is a simple text response for testing.')],
  test_image_content: () => [IMAGE],
  test_audio_content: () => [AUDIO],
  test_embedded_resource: () => [
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ],
  test_multiple_content_types: () => [
    text('Multiple content types test:'),
    IMAGE,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
  async test_tool_with_logging({ notify }) {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await notify('notifications/message', { level: 'info', data });
    }
    return [text('Tool with logging executed successfully')];
  },
  async test_tool_with_progress({ progressToken, notify }) {
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      await notify('notifications/progress', { progressToken, progress, total: 100 });
    }
    return [text(String(progressToken))];
  },
  test_error_handling() {
    throw new Error('This tool intentionally returns an error for testing');
  },
  async test_sampling({ args, ask }) {
    const messages = [{ role: 'user', content: text(String(args['prompt'])) }];
    const { content } = await ask('sampling/createMessage', { messages, maxTokens: 100 }, SAMPLED);
    return [text(`LLM response: ${content.text}`)];
  },
  async test_elicitation(context) {
    const answer = await elicit(context, String(context.args['message']), FORM_OF_ONE_TEXT);
    return [text(`User response: ${answer}`)];
  },
  test_elicitation_sep1034_defaults: form(FORM_WITH_DEFAULTS),
  test_elicitation_sep1330_enums: form(FORM_WITH_CHOICES),
};
