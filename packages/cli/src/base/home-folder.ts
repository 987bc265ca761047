import { homedir, userInfo } from 'node:os';

/** The functions that look up the user's home folder. */
export interface HomeFolderLookup {
  readonly homedir: () => string;
  readonly userInfo: () => { readonly homedir: string };
}

/** Returns the user's home folder, or `/` if HOME is unset and the user has no account, as in some containers. */
export function homeFolder(source: HomeFolderLookup = { homedir, userInfo }): string {
  try {
    return source.homedir() || source.userInfo().homedir;
  } catch {
    return '/';
  }
}
