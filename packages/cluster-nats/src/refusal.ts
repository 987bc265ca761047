/** True if an error of the client says that the servers refuse the credentials. Expired credentials count, too. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && /authori[sz]ation|authentication/i.test(`${error.name} ${error.message}`);
}
