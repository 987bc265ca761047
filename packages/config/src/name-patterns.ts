import picomatch from 'picomatch';

/** A tool name is not a path, so `*` also matches slashes and leading dots. */
const MATCH_OPTIONS = { bash: true, dot: true, nonegate: true, windows: false };

/** Returns a predicate for the tools that match one of these names or patterns. */
export function matching(patterns: readonly string[]): (tool: string) => boolean {
  if (patterns.length === 0) return () => false;
  const matches = picomatch([...patterns], MATCH_OPTIONS);
  return (tool) => patterns.includes(tool) || matches(tool);
}
