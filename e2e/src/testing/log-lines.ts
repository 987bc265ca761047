/** One line of a log in JSON. */
export type LogLine = Readonly<Record<string, unknown>> & {
  readonly time: string;
  readonly level: string;
  readonly message: string;
};

/** The lines of stderr; throws when one is no JSON. */
export function parseLog(stderr: string): LogLine[] {
  const lines = stderr.trimEnd().split('\n');
  return lines.map((line): LogLine => {
    try {
      return JSON.parse(line) as LogLine;
    } catch (error) {
      throw new Error(`no JSON in the log: ${line}`, { cause: error });
    }
  });
}
