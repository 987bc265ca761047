/** Whether an error of the client says that the servers refuse the credentials. Those that have expired count, too. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && /authori[sz]ation|authentication/i.test(`${error.name} ${error.message}`);
}
