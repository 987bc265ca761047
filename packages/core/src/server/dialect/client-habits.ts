/** The reaction of a client to a change of its tools: it requests the list at once, or continues with its list. */
export type ListHabit = 'requests' | 'ignores';

/** Clients by the beginning of the name that they give themselves, and how they were seen to behave. */
const HABITS: readonly (readonly [name: string, habit: ListHabit])[] = [
  // 2.1.332
  ['claude-code', 'requests'],
  // 0.61.0: `gemini-cli-mcp-client`, and the same with the name of the server
  ['gemini-cli', 'requests'],
  // 0.169.0: `codex-mcp-client`
  ['codex', 'ignores'],
];

/** The habit of a client of this name, as far as it is known. */
export function listHabitOf(clientName = ''): ListHabit | undefined {
  const lower = clientName.toLowerCase();
  return HABITS.find(([name]) => lower.startsWith(name))?.[1];
}
