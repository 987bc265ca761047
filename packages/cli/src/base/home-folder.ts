import { homedir, userInfo } from 'node:os';

/** What the system knows of the user. */
export interface UserSource {
  readonly homedir: () => string;
  readonly userInfo: () => { readonly homedir: string };
}

/** The home folder of the user. One without HOME and without an entry in the system's list has none: containers have such. */
export function homeFolder(source: UserSource = { homedir, userInfo }): string {
  try {
    return source.homedir() || source.userInfo().homedir;
  } catch {
    return '/';
  }
}
