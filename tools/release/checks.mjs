import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The published packages of a folder and their versions. */
export function versionsIn(folder) {
  return new Map(manifests(folder).map(({ name, version }) => [name, version]));
}

/** What is wrong with manifests after a version was made. */
export function releaseProblems(folder, before) {
  const versions = new Set(versionsIn(folder).values());
  const [version] = versions;
  const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
  return [
    ...(versions.size === 1 ? [] : [`the packages have different versions: ${[...versions].join(', ')}`]),
    ...[...before]
      .filter(([, old]) => old === version)
      .map(([name]) => `${name} kept the version ${version}`),
    ...(changelog.includes(`\n## ${version} - `) ? [] : [`CHANGELOG.md has no section ${version}`]),
    ...manifests(folder).flatMap(manifestProblems),
  ];
}

/** What npm asks of a package that is published with provenance. */
function manifestProblems({ name, folder, license, publishConfig, repository, files }) {
  return [
    ...(repository?.directory === folder ? [] : [`${name}: repository.directory is not ${folder}`]),
    ...(publishConfig?.access === 'public' ? [] : [`${name}: publishConfig.access is not public`]),
    ...(license === 'Apache-2.0' ? [] : [`${name}: has no license`]),
    ...(Array.isArray(files) ? [] : [`${name}: names no files`]),
  ];
}

function manifests(root) {
  return readdirSync(join(root, 'packages'))
    .map((name) => {
      const folder = `packages/${name}`;
      return Object.assign(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')), { folder });
    })
    .filter(({ private: isPrivate }) => isPrivate !== true);
}
