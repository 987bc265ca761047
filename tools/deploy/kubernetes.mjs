import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** What is wrong with manifests of Kubernetes: against the schemas of its API, and among each other. */
export function manifestProblems(manifests) {
  return [
    ...manifests.flatMap((manifest) =>
      schemaProblems(manifest).map((text) => `${nameOf(manifest)}: ${text}`),
    ),
    ...manifests.flatMap((manifest) =>
      referenceProblems(manifest, manifests).map((text) => `${nameOf(manifest)}: ${text}`),
    ),
  ];
}

function nameOf({ kind, metadata }) {
  return `${kind} ${metadata?.name}`;
}

function schemaProblems(manifest) {
  const { apiVersion, kind } = manifest;
  const Model = modelOf(apiVersion, kind);
  if (Model === undefined) return [`Kubernetes has no ${kind} of ${apiVersion}`];
  const unread = new Map();
  try {
    // Each level is checked as it is: the constructor would copy the first one.
    Model.prototype.validate.call(noting(manifest, '', unread));
  } catch (error) {
    return error.message.split(', ');
  }
  return [...unread.values()].flatMap((paths) => Array.from(paths, (path) => `${path} is unknown`));
}

function modelOf(apiVersion, kind) {
  try {
    return require(`kubernetes-models/${apiVersion}/${kind}`)[kind];
  } catch {
    return undefined;
  }
}

/**
 * The same value, which notes what a check does not read: the schemas accept members that they do not know, and a
 * misspelled member has no effect in Kubernetes.
 */
function noting(value, path, unread) {
  if (value === null || typeof value !== 'object') return value;
  const left = unread.get(path) ?? new Set(Object.keys(value).map((key) => `${path}/${key}`));
  unread.set(path, left);
  return new Proxy(value, {
    get: (target, key) => {
      left.delete(`${path}/${String(key)}`);
      return noting(target[key], `${path}/${String(key)}`, unread);
    },
    ownKeys: (target) => {
      // The schema goes over all members: any name is allowed.
      left.clear();
      return Reflect.ownKeys(target);
    },
  });
}

/** Names that lead nowhere. */
function referenceProblems({ kind, spec }, manifests) {
  if (kind === 'Service') {
    const pods = manifests.map((one) => one.spec?.template).filter(Boolean);
    const isServed = pods.some(({ metadata }) => isWithin(spec.selector, metadata.labels));
    return isServed ? [] : ['its selector selects no pod'];
  }
  if (kind !== 'StatefulSet') return [];
  const { serviceName, selector, template } = spec;
  const named = (wanted, name) => manifests.some((one) => one.kind === wanted && one.metadata.name === name);
  const volumes = template.spec.volumes ?? [];
  return [
    ...(named('Service', serviceName) ? [] : [`there is no Service ${serviceName}`]),
    ...(isWithin(selector.matchLabels, template.metadata.labels) ? [] : ['its selector selects no pod']),
    ...volumes
      .filter(({ configMap }) => configMap !== undefined && !named('ConfigMap', configMap.name))
      .map(({ configMap }) => `there is no ConfigMap ${configMap.name}`),
    ...template.spec.containers.flatMap((container) => containerProblems(container, volumes)),
  ];
}

function containerProblems({ ports = [], volumeMounts = [], ...container }, volumes) {
  const probes = [container.livenessProbe, container.readinessProbe, container.startupProbe].filter(Boolean);
  return [
    ...volumeMounts
      .filter(({ name }) => !volumes.some((volume) => volume.name === name))
      .map(({ name }) => `there is no volume ${name}`),
    ...probes
      .map(({ httpGet }) => httpGet?.port)
      .filter((port) => typeof port === 'string' && !ports.some(({ name }) => name === port))
      .map((port) => `a probe asks port ${port}, which the container does not name`),
  ];
}

function isWithin(part = {}, whole = {}) {
  return Object.entries(part).every(([key, value]) => whole[key] === value);
}
