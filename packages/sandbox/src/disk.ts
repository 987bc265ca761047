/** The file system functions that a view needs. */
export interface Disk {
  /** Returns the path without symbolic links, or undefined if the path does not exist. */
  real(path: string): string | undefined;
  isFolder(path: string): boolean;
}
