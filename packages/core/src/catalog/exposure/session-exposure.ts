import type { CatalogSnapshot, ListExposure, ToolSelection } from '../catalog-view.js';
import type { ListPages } from '../list-pages.js';
import type { Era } from '../../server/dialect/era.js';
import type { ExposureRule } from './exposure-rule.js';
import type { Exposures } from './exposures.js';

/** Maximum number of found tools that a session remembers. The oldest ones leave its list again. */
const MAX_FOUND = 100;

/** The exposure of one session: the exposure of its client, and the tools that the session has found. */
export class SessionExposure implements ListExposure {
  private clientName: string | undefined;
  private found: ReadonlySet<string> = new Set();
  private pages = new WeakMap<CatalogSnapshot, Map<string, ListPages>>();

  constructor(private readonly exposures: Exposures) {}

  /** Sets the client's name. */
  introduce(clientName: string | undefined): void {
    this.clientName = clientName;
  }

  /**
   * Adds tools that the client has found, by their exposed names.
   *
   * @returns true if the client's list may have other tools now
   */
  find(names: readonly string[], snapshot: CatalogSnapshot): boolean {
    const rule = this.exposures.ruleFor(this.clientName);
    const fresh = names.filter((name) => !this.found.has(name));
    if (fresh.length === 0 || rule.exposure.addsFound === false || !rule.changes(snapshot)) return false;
    this.found = new Set([...this.found, ...fresh].slice(-MAX_FOUND));
    this.pages = new WeakMap();
    return true;
  }

  /**
   * A modern list depends on the principal and on the request, in which the client names itself, and not on a
   * connection.
   */
  selectionOf(snapshot: CatalogSnapshot, era: Era, client?: string): ToolSelection | undefined {
    const rule = this.exposures.ruleFor(era === 'modern' ? client : this.clientName);
    if (!rule.changes(snapshot)) return undefined;
    return era === 'modern' || this.found.size === 0 ? rule : this.withFound(rule);
  }

  private withFound(rule: ExposureRule): ToolSelection {
    const { found, pages } = this;
    return {
      key: rule.key,
      includesOwnTool: (name) => rule.includesOwnTool(name),
      usesOf: (tool) => rule.usesOf(tool),
      select: (entries, ownBytes) => rule.select(entries, ownBytes, found),
      pagesOf: (snapshot) => {
        const known = pages.get(snapshot) ?? new Map<string, ListPages>();
        pages.set(snapshot, known);
        return known;
      },
    };
  }
}
