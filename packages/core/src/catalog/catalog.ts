import { MIN_NAME_BUDGET, qualify } from '@mcpmux/namespace';

import { MuxError } from '../errors.js';
import type { Upstream } from '../upstream/upstream.js';
import { exposedNameFor, listEntry, type ExposedTool } from './exposed-tool.js';
import type { OwnTool } from './own-tool.js';

/** The merged tools at one moment. Immutable: a change makes another one. */
export interface CatalogSnapshot {
  /** Every tool of every listed server, in the order of the list. */
  readonly tools: readonly ExposedTool[];
  /**
   * By exposed name and by qualified name. Also those that a crashed server had: whoever calls one is told about the
   * crash, and a fitted name does not tell which server it belongs to.
   */
  readonly byName: ReadonlyMap<string, ExposedTool>;
  /** The tools of each local name, for clients that call a tool by the name its own server gave it. */
  readonly byLocalName: ReadonlyMap<string, readonly ExposedTool[]>;
  /** The result of `tools/list`, JSON. */
  readonly listResult: Buffer;
}

/**
 * The merged list of tools: mcpmux's own first, then the servers' in the order of their registration.
 *
 * Built when it is asked for, and kept until {@link invalidate}.
 */
export class Catalog {
  private current: CatalogSnapshot | undefined;

  /** @throws MuxError INVALID_CONFIG when the name budget is too small to fit any name */
  constructor(
    private readonly ownTools: readonly OwnTool[],
    private readonly nameBudget: number,
    private readonly upstreams: () => readonly Upstream[],
  ) {
    if (nameBudget >= MIN_NAME_BUDGET) return;
    throw new MuxError(
      'INVALID_CONFIG',
      `nameBudget is ${nameBudget}; it must be at least ${MIN_NAME_BUDGET}.`,
    );
  }

  snapshot(): CatalogSnapshot {
    this.current ??= merge(this.ownTools, this.upstreams(), this.nameBudget);
    return this.current;
  }

  invalidate(): void {
    this.current = undefined;
  }
}

/** A server that is being reloaded keeps its tools in the list until it is known what becomes of them. */
export function isListed({ state }: Upstream): boolean {
  return state.kind === 'running' || (state.kind === 'starting' && state.generation > 1);
}

function merge(
  ownTools: readonly OwnTool[],
  upstreams: readonly Upstream[],
  nameBudget: number,
): CatalogSnapshot {
  const all = exposeAll(upstreams, nameBudget);
  const tools = all.filter(({ upstream }) => isListed(upstream));
  const byName = new Map<string, ExposedTool>();
  const byLocalName = new Map<string, ExposedTool[]>();
  for (const tool of all) byName.set(tool.qualifiedName, tool).set(tool.exposedName, tool);
  for (const tool of tools) {
    const namesakes = byLocalName.get(tool.definition.localName);
    if (namesakes === undefined) byLocalName.set(tool.definition.localName, [tool]);
    else namesakes.push(tool);
  }
  const entries = [...ownTools.map(({ json }) => Buffer.from(json)), ...tools.map(listEntry)];
  return { tools, byName, byLocalName, listResult: listResult(entries) };
}

/** Qualified names come first: a name fitted for one tool must never be the qualified name of another. */
function exposeAll(upstreams: readonly Upstream[], nameBudget: number): readonly ExposedTool[] {
  const qualified = upstreams.flatMap((upstream) =>
    upstream.tools.map((definition) => ({
      upstream,
      definition,
      name: qualify(upstream.name, definition.localName),
    })),
  );
  const taken = new Set<string>(qualified.map(({ name }) => name));
  return qualified.map(({ upstream, definition, name }) => {
    const exposedName = exposedNameFor(name, nameBudget, taken);
    taken.add(exposedName);
    return { upstream, definition, qualifiedName: name, exposedName };
  });
}

function listResult(entries: readonly Buffer[]): Buffer {
  const comma = Buffer.from(',');
  const parts: Buffer[] = [Buffer.from('{"tools":[')];
  for (const [index, entry] of entries.entries()) {
    if (index > 0) parts.push(comma);
    parts.push(entry);
  }
  parts.push(Buffer.from(']}'));
  return Buffer.concat(parts);
}
