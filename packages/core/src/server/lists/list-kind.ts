/** The lists that a server can have. */
export type ListKind = 'tools' | 'prompts' | 'resources' | 'resourceTemplates';

/** The request for one kind of list, and the shape of its entries (specification: tools, prompts, resources, tasks). */
export interface ListSpec {
  readonly method: string;
  /** The member of the result that contains the array. */
  readonly member: string;
  /** The member of an entry that identifies it. */
  readonly keyMember: string;
  /** The noun for one entry in a sentence. */
  readonly noun: string;
}

/** A list that the catalog merges. */
export interface MergedListSpec extends ListSpec {
  /** The capability that servers with this list declare. */
  readonly capability: string;
  /** The method of the notification that announces a change to the list. */
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
