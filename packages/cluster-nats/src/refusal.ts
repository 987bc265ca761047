/** True if a client error states that the servers refuse the credentials, including expired credentials. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && /authori[sz]ation|authentication/i.test(`${error.name} ${error.message}`);
}
