/** Matches words that programs use to report a failure. */
const FAILURE_WORD =
  /\b(?:\w*error|fatal|exception|cannot|denied|invalid|missing|not found|refused|required|unable)\b/i;
/** Matches the line in which npm names the cause. Later lines name a log file and remedies. */
const NPM_CAUSE = /^npm error (?!code )\S/;
/** Matches a line of a stack trace, or the line of source code that Node.js prints before it. */
const STACK_LINE = /^at\s|^File "|^Traceback|^throw\b/;

/** Returns the line that most likely explains a failure, given the last lines of a program's output. */
export function explainingLine(output: readonly string[]): string | undefined {
  const lines = output.map((line) => line.trim()).filter((line) => line !== '' && !STACK_LINE.test(line));
  return (
    lines.find((line) => NPM_CAUSE.test(line)) ??
    lines.findLast((line) => FAILURE_WORD.test(line)) ??
    lines.at(-1)
  );
}
