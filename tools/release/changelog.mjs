const UNRELEASED = '\n## Unreleased\n';

/** The changelog with what was unreleased in a section of a version, below an empty section for the next one. */
export function changelogWith(text, { version, date }) {
  if (!text.includes(UNRELEASED)) throw new Error('CHANGELOG.md has no section "Unreleased"');
  return text.replace(UNRELEASED, `${UNRELEASED}\n## ${version} - ${date}\n`);
}
