/** A message that a server which wants a login refuses, JSON: its refusal says where to log in. */
export const LOGIN_PROBE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'mcpmux', version: '1' } },
});
