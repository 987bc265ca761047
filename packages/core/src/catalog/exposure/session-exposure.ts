import type { CatalogSnapshot, ListExposure, ListReader, ToolSelection } from '../catalog-view.js';
import type { ListPages } from '../list-pages.js';
import type { AlwaysListed, ExposureRule } from './exposure-rule.js';
import type { Exposures } from './exposures.js';

/** Maximum number of found tools that a session remembers. When it is exceeded, the oldest are evicted. */
const MAX_FOUND_TOOLS = 100;

/** Selects the tools in one session's list: by its client's exposure, plus the tools that the client has found. */
export class SessionExposure implements ListExposure {
  private clientName: string | undefined;
  private hasApps = false;
  private foundTools: ReadonlySet<string> = new Set();
  private pagesBySnapshot = new WeakMap<CatalogSnapshot, Map<string, ListPages>>();

  constructor(private readonly exposures: Exposures) {}

  setClient(clientName: string | undefined, hasApps = false): void {
    this.clientName = clientName;
    this.hasApps = hasApps;
  }

  /**
   * Adds tools that the client has found.
   *
   * @returns true if the client's list may have changed
   */
  addFoundTools(names: readonly string[], snapshot: CatalogSnapshot): boolean {
    const rule = this.exposures.ruleFor(this.clientName);
    const newNames = names.filter((name) => !this.foundTools.has(name));
    if (newNames.length === 0 || rule.exposure.addsFound === false || !rule.changesList(snapshot))
      return false;
    this.foundTools = new Set([...this.foundTools, ...newNames].slice(-MAX_FOUND_TOOLS));
    this.pagesBySnapshot = new WeakMap();
    return true;
  }

  /**
   * Returns the selection for a reader. A modern list must not depend on the connection, so for modern readers the
   * session's client name and found tools are ignored.
   */
  selectionFor(
    snapshot: CatalogSnapshot,
    { era, client, hasApps = false }: ListReader,
  ): ToolSelection | undefined {
    const rule = this.exposures.ruleFor(era === 'modern' ? client : this.clientName);
    if (!rule.changesList(snapshot)) return undefined;
    if (era === 'modern') return hasApps ? withAlwaysListed(rule, { foundTools: new Set(), hasApps }) : rule;
    const { foundTools, pagesBySnapshot } = this;
    if (foundTools.size === 0 && !this.hasApps) return rule;
    const selection = withAlwaysListed(rule, { foundTools, hasApps: this.hasApps });
    return foundTools.size === 0
      ? selection
      : { ...selection, pageCacheFor: (of) => pagesFor(of, pagesBySnapshot) };
  }
}

function withAlwaysListed(rule: ExposureRule, alwaysListed: AlwaysListed): ToolSelection {
  return {
    key: alwaysListed.hasApps ? `${rule.key} apps` : rule.key,
    includesOwnTool: (name) => rule.includesOwnTool(name),
    callCountOf: (tool) => rule.callCountOf(tool),
    select: (entries, ownBytes) => rule.select(entries, ownBytes, alwaysListed),
  };
}

type PagesByKey = Map<string, ListPages>;

function pagesFor(snapshot: CatalogSnapshot, pages: WeakMap<CatalogSnapshot, PagesByKey>): PagesByKey {
  const cached = pages.get(snapshot) ?? new Map<string, ListPages>();
  pages.set(snapshot, cached);
  return cached;
}
