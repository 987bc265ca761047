/** The lists that a tool makes longer, by the name of the tool. */
export const TRIGGERS = {
  test_trigger_tool_change: 'tools',
  test_trigger_prompt_change: 'prompts',
} as const;

/** A list that grows. */
export type GrowingList = (typeof TRIGGERS)[keyof typeof TRIGGERS];

/** The entries that tools have added to lists so far. */
export class GrowingLists {
  private readonly added = { tools: 0, prompts: 0 };

  grow(list: GrowingList): void {
    this.added[list] += 1;
  }

  /** The names of what was added to a list. */
  names(list: GrowingList): readonly string[] {
    return Array.from({ length: this.added[list] }, (_, index) => `test_added_${index + 1}`);
  }
}
