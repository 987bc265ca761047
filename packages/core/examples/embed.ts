import { createMux } from '@mcpmux/core';

await using mux = createMux();
const files = await mux.addServer('files', {
  command: 'npx',
  args: ['-y', '@modelcontextprotocol/server-filesystem', '.'],
});
console.log(files.tools);
const result = await mux.callTool('files__list_directory', { path: '.' });
console.log(result.content);
