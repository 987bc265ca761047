/** A form with a default for each primitive type (SEP-1034). */
export const FORM_WITH_DEFAULTS = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
} as const;

const OPTIONS = ['option1', 'option2', 'option3'];
const TITLED_OPTIONS = ['First', 'Second', 'Third'].map((word, index) => ({
  const: `value${index + 1}`,
  title: `${word} Option`,
}));

/** A form with every kind of choice (SEP-1330). */
export const FORM_WITH_CHOICES = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: OPTIONS },
    titledSingle: { type: 'string', oneOf: TITLED_OPTIONS },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
    titledMulti: { type: 'array', items: { anyOf: TITLED_OPTIONS } },
  },
} as const;

/** A form with one text field. */
export const FORM_OF_ONE_TEXT = {
  type: 'object',
  properties: { response: { type: 'string' } },
  required: ['response'],
} as const;
