import type { Catalogs } from '../../catalog/catalogs.js';
import type { Exposures } from '../../catalog/exposure/exposures.js';
import { SessionExposure } from '../../catalog/exposure/session-exposure.js';
import { HOST, type Principal } from '../../guards/principal.js';
import type { Registry } from '../../server/registry/registry.js';
import {
  layerView,
  type CallerView,
  type OwnToolNames,
  type RestrictedViews,
  type Sources,
} from '../caller/caller-view.js';

/** The dependencies of {@link RequestViews}. */
export interface RequestViewsParts {
  readonly catalogs: Catalogs;
  readonly exposures: Exposures;
  readonly ownNames: OwnToolNames;
}

/** The servers that a principal sees, with and without guards. */
export interface RequestView {
  readonly view: CallerView;
  readonly whole: Sources;
}

/** The views of requests without a connection. All requests of a principal in one layer share a view. */
export class RequestViews {
  private readonly known = new WeakMap<Registry, WeakMap<Principal, RequestView>>();
  private readonly exposure: SessionExposure;

  constructor(
    private readonly views: RestrictedViews,
    private readonly parts: RequestViewsParts,
  ) {
    this.exposure = new SessionExposure(parts.exposures);
  }

  of(principal: Principal, layer: Registry): RequestView {
    const ofLayer = this.known.get(layer) ?? new WeakMap<Principal, RequestView>();
    this.known.set(layer, ofLayer);
    const known = ofLayer.get(principal) ?? this.make(principal, layer);
    ofLayer.set(principal, known);
    return known;
  }

  private make(principal: Principal, layer: Registry): RequestView {
    const { catalogs, ownNames } = this.parts;
    const whole = layerView(layer, catalogs, ownNames);
    // The host and its commands have every tool in their lists.
    return { whole, view: this.views.of(principal, whole, principal === HOST ? undefined : this.exposure) };
  }
}
