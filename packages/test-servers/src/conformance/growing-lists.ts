/** The lists that tools extend, by tool name. */
export const TRIGGERS = {
  test_trigger_tool_change: 'tools',
  test_trigger_prompt_change: 'prompts',
} as const;

/** A list that a tool can extend. */
export type GrowingList = (typeof TRIGGERS)[keyof typeof TRIGGERS];

/** Counts the entries that tools have added to the lists. */
export class GrowingLists {
  private readonly added = { tools: 0, prompts: 0 };

  grow(list: GrowingList): void {
    this.added[list] += 1;
  }

  /** Returns the names of the entries that were added to a list. */
  names(list: GrowingList): readonly string[] {
    return Array.from({ length: this.added[list] }, (_, index) => `test_added_${index + 1}`);
  }
}
