/** The reaction of a client to a change of its tools: it requests the list at once, or continues with its list. */
export type ListHabit = 'requests' | 'ignores';

/** The observed behavior of clients, by the beginning of the name that they give themselves. */
const HABITS: readonly (readonly [name: string, habit: ListHabit])[] = [
  // 2.1.332
  ['claude-code', 'requests'],
  // 0.61.0: `gemini-cli-mcp-client`, sometimes followed by the name of the server
  ['gemini-cli', 'requests'],
  // 0.169.0: `codex-mcp-client`
  ['codex', 'ignores'],
];

/** Returns the habit of a client with this name, or undefined if it is not known. */
export function listHabitOf(clientName = ''): ListHabit | undefined {
  const lower = clientName.toLowerCase();
  return HABITS.find(([name]) => lower.startsWith(name))?.[1];
}
