import { printable } from '../terminal/columns.js';
import type { CommandContext } from '../terminal/command-context.js';
import { formatVersion } from '../versions/server-versions.js';
import type { TriedUpgrade } from '../edit/upgrade/tried-upgrade.js';

/** Formats an upgrade for `--json`. */
export function upgradeData({ name, target, version, tools, changes, problem }: TriedUpgrade): object {
  return { name, from: target.version ?? target.range, to: version, tools, changes, problem };
}

/** Formats an upgrade as text, with both versions and the tools that differ. */
export function upgradeText({ streams }: CommandContext, upgrade: TriedUpgrade): string {
  const { name, target, version, problem } = upgrade;
  const { bold, red, green, yellow } = streams.stderrColours;
  const from = formatVersion(target.version ?? target.range ?? 'no version');
  const title = `${bold(name)}  ${from} → ${formatVersion(version)}`;
  if (problem !== undefined)
    return `${title}\n  ${red('✖')} the version does not start, and is not used: ${printable(problem)}`;
  const { added, removed, changed } = upgrade.changes ?? NO_CHANGES;
  const lines = [
    ...added.map((tool) => `${green('+')} ${printable(tool)}`),
    ...removed.map((tool) => `${red('-')} ${printable(tool)}`),
    ...changed.map(({ tool, members }) => `${yellow('~')} ${printable(tool)}: ${members.join(', ')}`),
  ];
  const shown = lines.length === 0 ? [unchangedText(upgrade)] : lines;
  return [title, ...shown.map((line) => `  ${line}`)].join('\n');
}

const NO_CHANGES = { added: [], removed: [], changed: [] };

function unchangedText({ tools = 0, changes }: TriedUpgrade): string {
  const count = `${tools} ${tools === 1 ? 'tool' : 'tools'}`;
  return changes === undefined ? `${count}; the tools before are unknown` : `${count}, as before`;
}
