import type { ArgumentShape, ToolShown, ToolFilter } from '@mcpmux/core';

import { serverExposureOf } from './exposure-settings.js';
import { matching } from './name-patterns.js';
import type { ToolSetting, ToolSettings } from './tool-settings.js';

/** Returns the tool filter for these settings. */
export function toolView({ include, exclude, overrides, exposure }: ToolSettings): ToolFilter {
  const isIncluded = include === undefined ? () => true : matching(include);
  const isExcluded = matching(exclude);
  const patterns = Object.entries(overrides).map(
    ([pattern, setting]) => [matching([pattern]), setting] as const,
  );
  return {
    ...(exposure !== undefined && { exposure: serverExposureOf(exposure) }),
    shown: (tool) => {
      if (!isIncluded(tool) || isExcluded(tool)) return false;
      // The settings for an exact tool name take precedence over patterns.
      if (Object.hasOwn(overrides, tool)) return toolOverride(overrides[tool]);
      const patternOverride = toolOverride(patterns.find(([matches]) => matches(tool))?.[1]);
      return patternOverride?.arguments === undefined
        ? patternOverride
        : { ...patternOverride, isPattern: true };
    },
  };
}

function toolOverride(setting: ToolSetting | undefined): ToolShown | undefined {
  if (setting === undefined) return undefined;
  const { name, description, hidden, loading, result } = setting;
  const shapes = Object.entries(setting.arguments ?? {}).map(
    ([key, shape]) => [key, argumentShape(shape)] as const,
  );
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(hidden === true && { isHidden: true }),
    ...(loading !== undefined && { loading }),
    ...(shapes.length > 0 && { arguments: Object.fromEntries(shapes) }),
    ...(result !== undefined && { result }),
  };
}

/** Relies on the config schema, which allows exactly one member in an argument's settings. */
function argumentShape(setting: NonNullable<ToolSetting['arguments']>[string]): ArgumentShape {
  if ('value' in setting) return { value: setting.value };
  return 'default' in setting ? { default: setting.default } : { hidden: true };
}
