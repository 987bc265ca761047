import { embeddedResource, IMAGE, text } from './samples.js';

interface Prompt {
  readonly argumentNames: readonly string[];
  readonly renderContents: (args: Readonly<Record<string, string>>) => readonly object[];
}

/** The prompts that the conformance scenarios request, by name. */
export const PROMPTS: Readonly<Record<string, Prompt>> = {
  test_simple_prompt: {
    argumentNames: [],
    renderContents: () => [text('This is a simple prompt for testing.')],
  },
  test_prompt_with_arguments: {
    argumentNames: ['arg1', 'arg2'],
    renderContents: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    argumentNames: ['resourceUri'],
    renderContents: ({ resourceUri = '' }) => [
      embeddedResource(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
      text('Please process the embedded resource above.'),
    ],
  },
  test_prompt_with_image: {
    argumentNames: [],
    renderContents: () => [IMAGE, text('Please analyze the image above.')],
  },
};

/** Returns the prompts as entries of a `prompts/list` result. */
export function listPrompts(): readonly { readonly name: string }[] {
  return Object.entries(PROMPTS).map(([name, { argumentNames: names }]) => ({
    name,
    description: name,
    arguments: names.map((argument) => ({ name: argument, required: true })),
  }));
}
