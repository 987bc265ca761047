import type { ToolShown, ToolFilter } from '@mcpmux/core';
import picomatch from 'picomatch';

import type { ToolSetting, ToolSettings } from './tool-settings.js';

/** The name of a tool is no path: `*` also matches slashes and leading dots. */
const OPTIONS = { bash: true, dot: true, nonegate: true, windows: false };

type Match = (tool: string) => boolean;

/** The tool filter for these settings. */
export function toolView({ include, exclude, overrides }: ToolSettings): ToolFilter {
  const isIncluded = include === undefined ? () => true : matching(include);
  const isExcluded = matching(exclude);
  const patterns = Object.entries(overrides).map(
    ([pattern, setting]) => [matching([pattern]), setting] as const,
  );
  return {
    shown: (tool) => {
      if (!isIncluded(tool) || isExcluded(tool)) return false;
      // The name of a tool wins over patterns.
      if (Object.hasOwn(overrides, tool)) return shownAs(overrides[tool]);
      return shownAs(patterns.find(([matches]) => matches(tool))?.[1]);
    },
  };
}

/** True for the tools that one of these names or patterns means. */
export function matching(patterns: readonly string[]): Match {
  if (patterns.length === 0) return () => false;
  const matches = picomatch([...patterns], OPTIONS);
  return (tool) => patterns.includes(tool) || matches(tool);
}

function shownAs(setting: ToolSetting | undefined): ToolShown | undefined {
  if (setting === undefined) return undefined;
  const { name, description, hidden } = setting;
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(hidden === true && { isHidden: true }),
  };
}
