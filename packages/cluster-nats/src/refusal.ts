/** True if a client error reports that the servers refuse the credentials, for example because they have expired. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && /authori[sz]ation|authentication/i.test(`${error.name} ${error.message}`);
}
