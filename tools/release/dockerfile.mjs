/** What is wrong with a Dockerfile whose image serves HTTP as a user without rights. */
export function dockerfileProblems(text) {
  const lines = text.replaceAll('\\\n', ' ').split('\n');
  const words = (instruction) =>
    lines
      .filter((line) => line.startsWith(`${instruction} `))
      .map((line) => line.slice(instruction.length + 1).trim());
  const last = (instruction) => words(instruction).at(-1) ?? '';
  const command = [...list(last('ENTRYPOINT')), ...list(last('CMD'))].join(' ');
  return [
    ...(['', 'root', '0'].includes(last('USER')) ? ['runs as root'] : []),
    ...(command.startsWith('mcpmux serve --http ') ? [] : [`starts "${command}", not mcpmux serve --http`]),
    ...words('FROM')
      .filter((image) => !/:[\w.-]+/.test(image) || /:latest\b/.test(image))
      .map((image) => `${image} has no version`),
    ...(words('HEALTHCHECK').length > 0 ? [] : ['has no HEALTHCHECK']),
    ...words('ADD').map((argument) => `ADD ${argument}: use COPY`),
    ...(/^(?:ENV|ARG) .*(?:TOKEN|SECRET|PASSWORD)/m.test(text)
      ? ['a secret would be part of the image']
      : []),
  ];
}

/** The words of an instruction in its form of a JSON list; another form would need a shell. */
function list(argument) {
  return argument.startsWith('[') ? JSON.parse(argument) : [];
}
