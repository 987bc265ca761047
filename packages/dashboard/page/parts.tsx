import type { ComponentChildren } from 'preact';

import type { Outcome } from './action.js';
import { ago, count, cutMark, moment, tokensOf } from './texts.js';

/** States that need no attention. */
const GOOD: ReadonlySet<string> = new Set(['running', 'result', 'ready']);
const BAD: ReadonlySet<string> = new Set(['crashed', 'failed', 'error', 'misconfigured', 'blocked']);
/** States that end by themselves. */
const BUSY: ReadonlySet<string> = new Set(['in flight', 'starting']);

/** Shows a state with a sign, so that it does not depend only on colour. */
export function Status({ value }: { readonly value: string }) {
  return <span class={`chip ${toneOf(value)}`}>{value}</span>;
}

/** Returns the tone of a state, which is its CSS class. */
export function toneOf(value: string): 'good' | 'bad' | 'busy' | 'calm' {
  if (GOOD.has(value)) return 'good';
  if (BAD.has(value)) return 'bad';
  return BUSY.has(value) ? 'busy' : 'calm';
}

/** Shows a server's text in its original layout. */
export function Code({ label, children }: { readonly label: string; readonly children: string }) {
  return (
    <pre role="group" aria-label={label} tabIndex={0}>
      {children}
    </pre>
  );
}

/** Shows how much of a text is visible if its end was truncated. */
export function CutMark(props: { readonly text: string | undefined; readonly bytes: number | undefined }) {
  const { text, bytes } = props;
  if (text === undefined || bytes === undefined) return null;
  return <p class="calm">{cutMark(text, bytes)}</p>;
}

/** A field with its label. */
export function Field(props: {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly placeholder?: string;
}) {
  return (
    <label class="field">
      <span>{props.label}</span>
      <input
        value={props.value}
        placeholder={props.placeholder ?? ''}
        onInput={(event) => props.onInput(event.currentTarget.value)}
      />
    </label>
  );
}

/** A choice between values, or all of them. */
export function Choice(props: {
  readonly label: string;
  readonly value: string;
  readonly values: readonly string[];
  readonly choose: (value: string) => void;
}) {
  return (
    <label class="field">
      <span>{props.label}</span>
      <select value={props.value} onChange={(event) => props.choose(event.currentTarget.value)}>
        <option value="">all</option>
        {props.values.map((value) => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A group of buttons of which one is pressed. */
export function Tabs<Value extends string>(props: {
  readonly label: string;
  /** The values in order, each with its title. */
  readonly titles: Readonly<Record<Value, string>>;
  readonly values: readonly Value[];
  readonly chosen: Value;
  readonly choose: (value: Value) => void;
}) {
  const { label, titles, values, chosen, choose } = props;
  return (
    <div class="tabs" role="group" aria-label={label}>
      {values.map((value) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => choose(value)}>
          {titles[value]}
        </button>
      ))}
    </div>
  );
}

/** A button that stops and continues the changes to a list. */
export function Pause(props: { readonly isPaused: boolean; readonly pause: (isPaused: boolean) => void }) {
  const { isPaused, pause } = props;
  return (
    <button type="button" aria-pressed={isPaused} onClick={() => pause(!isPaused)}>
      Pause
    </button>
  );
}

/** Shows the outcome of the last action. Screen readers read a problem at once, and other text when they are idle. */
export function Message({ text, isProblem = false }: Outcome) {
  return (
    <>
      <p role="status" class="message">
        {isProblem ? '' : text}
      </p>
      {isProblem && text !== '' && (
        <p role="alert" class="message box bad">
          {text}
        </p>
      )}
    </>
  );
}

/** Shows a message for an empty view, with the next step. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p>{title}</p>
      {children !== undefined && <p class="calm">{children}</p>}
    </div>
  );
}

/** Shows how long ago a time was, with the time itself as a tooltip. */
export function Ago({ time, now }: { readonly time: number; readonly now: number }) {
  return (
    <time dateTime={new Date(time).toISOString()} title={moment(time)}>
      {ago(time, now)}
    </time>
  );
}

/** Shows the approximate number of tokens for a size in bytes. */
export function Tokens({ bytes }: { readonly bytes: number | undefined }) {
  if (bytes === undefined) return null;
  return <span title="about four bytes are one token">≈ {count(tokensOf(bytes))}</span>;
}

/** Shows names with their values. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Shows the lines of a diff. */
export function DiffLines({ label, lines }: { readonly label: string; readonly lines: readonly string[] }) {
  return (
    <pre class="diff" role="group" aria-label={label} tabIndex={0}>
      {lines.map((line, index) => (
        <div key={index} class={signClass(line)}>
          {line}
        </div>
      ))}
    </pre>
  );
}

function signClass(line: string): string {
  if (line.startsWith('+')) return 'plus';
  return line.startsWith('-') ? 'minus' : '';
}
