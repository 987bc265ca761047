/** The lists that a server can have. */
export type ListKind = 'tools' | 'prompts' | 'resources' | 'resourceTemplates';

/** How to request one kind of list, and the form of its entries (specification: tools, prompts, resources, tasks). */
export interface ListSpec {
  readonly method: string;
  /** The result's member that contains the array. */
  readonly member: string;
  /** The entry's member that identifies it. */
  readonly keyMember: string;
  /** The word for one entry, for use in sentences. */
  readonly noun: string;
}

/** A list that the catalog merges. */
export interface MergedListSpec extends ListSpec {
  /** The capability declared by servers that have this list. */
  readonly capability: string;
  /** The method of the notification that announces changes to the list. */
  readonly changedMethod: string;
}

/** The lists that the catalog merges, in the order in which mcpmux requests them. */
export const LISTS: Readonly<Record<ListKind, MergedListSpec>> = {
  tools: {
    method: 'tools/list',
    member: 'tools',
    keyMember: 'name',
    noun: 'tool',
    capability: 'tools',
    changedMethod: 'notifications/tools/list_changed',
  },
  prompts: {
    method: 'prompts/list',
    member: 'prompts',
    keyMember: 'name',
    noun: 'prompt',
    capability: 'prompts',
    changedMethod: 'notifications/prompts/list_changed',
  },
  resources: {
    method: 'resources/list',
    member: 'resources',
    keyMember: 'uri',
    noun: 'resource',
    capability: 'resources',
    changedMethod: 'notifications/resources/list_changed',
  },
  resourceTemplates: {
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    keyMember: 'uriTemplate',
    noun: 'resource template',
    capability: 'resources',
    changedMethod: 'notifications/resources/list_changed',
  },
};

/** Every {@link ListKind}. */
export const LIST_KINDS: readonly ListKind[] = ['tools', 'prompts', 'resources', 'resourceTemplates'];
