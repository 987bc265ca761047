/** The list that each tool extends, by tool name. */
export const LIST_BY_TRIGGER_TOOL = {
  test_trigger_tool_change: 'tools',
  test_trigger_prompt_change: 'prompts',
} as const;

/** A list that a tool can extend. */
export type GrowingList = (typeof LIST_BY_TRIGGER_TOOL)[keyof typeof LIST_BY_TRIGGER_TOOL];

/** Counts the entries that tools have added to each list. */
export class GrowingLists {
  private readonly addedCounts = { tools: 0, prompts: 0 };

  addEntry(list: GrowingList): void {
    this.addedCounts[list] += 1;
  }

  /** Returns the names of the entries that were added to a list. */
  addedNames(list: GrowingList): readonly string[] {
    return Array.from({ length: this.addedCounts[list] }, (_, index) => `test_added_${index + 1}`);
  }
}
