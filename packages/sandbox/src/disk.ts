/** The part of the file system that decides about a view. */
export interface Disk {
  /** Returns the path without symbolic links; undefined if there is no file. */
  real(path: string): string | undefined;
  isFolder(path: string): boolean;
}
