/** Commands that ask before they write: what answers them without a terminal. */
const ASKS: ReadonlySet<string> = new Set(['install', 'import', 'uninstall']);
/** A command with the words that belong to it: options, clients, the servers of the test. Prose may stand around it. */
const COMMAND =
  /(?<=^|[:;,(] ?| or |\n {4,})mcpmux ([a-z]+)(?: (?:--?[a-z][\w-]*|path|validate|cursor|claude-desktop|echo|more|third|other|weather|github|docs|boxed)\b)*/g;

/** The commands that a text suggests, behind each `Next:` and in the lines below it that begin with spaces. */
export function suggestions(printed: string): readonly string[] {
  const advices = [...printed.matchAll(/Next: (.*(?:\n {4,}.*)*)/g)].map(([, advice = '']) => advice);
  return [...new Set(advices.flatMap(commandsIn))];
}

function commandsIn(advice: string): readonly string[] {
  return [...advice.replaceAll(/\bNAME\b(?! --)/g, 'echo').matchAll(COMMAND)].flatMap(
    ([line, command = '']) => {
      // It waits for a browser.
      if (command === 'login') return [];
      // NAME -- COMMAND ARGS
      if (command === 'add') return 'mcpmux add other -- mcpmux-echo';
      if (command === 'secret') return 'echo of-the-page | mcpmux secret set other';
      // A reader who tries it wants the server back.
      if (command === 'disable') return `${line} && mcpmux enable echo`;
      return ASKS.has(command) ? `${line} --yes` : line;
    },
  );
}
