import picomatch from 'picomatch';

/** The name of a tool is no path: `*` also matches slashes and leading dots. */
const OPTIONS = { bash: true, dot: true, nonegate: true, windows: false };

type Match = (tool: string) => boolean;

/** True for the tools that one of these names or patterns means. */
export function matching(patterns: readonly string[]): Match {
  if (patterns.length === 0) return () => false;
  const matches = picomatch([...patterns], OPTIONS);
  return (tool) => patterns.includes(tool) || matches(tool);
}
