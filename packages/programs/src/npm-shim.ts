import { win32 } from 'node:path';

/** A batch file from npm that starts a script with Node.js. */
export interface NpmShim {
  /** The absolute paths at which the script may be. The first existing one is used. */
  readonly scripts: readonly string[];
}

const NODE_FALLBACK_LINE = String.raw`IF NOT EXIST "%NODE_EXE%" ( SET "NODE_EXE=node" )`;
const SCRIPT_PATTERN = String.raw`"%(?:~dp0|dp0%)\\([^"%]+)" %\*`;
/**
 * Match the shims that npm writes for package binaries, newest format first. Each run of white space in a file must
 * first be collapsed to one space.
 */
const PACKAGE_SHIM_PATTERNS = [
  String.raw`^@ECHO off GOTO start :find_dp0 SET dp0=%~dp0 EXIT /b :start SETLOCAL CALL :find_dp0 ` +
    String.raw`IF EXIST "%dp0%\\node\.exe" \( SET "_prog=%dp0%\\node\.exe" \) ` +
    String.raw`ELSE \( SET "_prog=node" SET PATHEXT=%PATHEXT:;\.JS;=;% \) ` +
    String.raw`endLocal & goto #_undefined_# 2>NUL \|\| title %COMSPEC% & "%_prog%" ${SCRIPT_PATTERN}$`,
  String.raw`^@SETLOCAL @IF EXIST "%~dp0\\node\.exe" \( @SET "_prog=%~dp0\\node\.exe" \) ` +
    String.raw`ELSE \( @SET "_prog=node" @SET PATHEXT=%PATHEXT:;\.JS;=;% \) ` +
    String.raw`"%_prog%" ${SCRIPT_PATTERN} @ENDLOCAL$`,
].map((source) => new RegExp(source, 'i'));
/** Matches the `npm.cmd` and `npx.cmd` that come with Node.js. They prefer an npm that npm itself has installed. */
const NPM_SHIM_PATTERN =
  /^:: Created by npm.* SET "NP[MX]_CLI_JS=%~dp0\\(node_modules\\npm\\bin\\np[mx]-cli\.js)" /i;

/**
 * Parses a `.cmd` file that npm has written. mcpmux starts its script without cmd.exe, which avoids quoting and an
 * extra process.
 *
 * @param text the content of the file
 * @param path the absolute path of the file
 * @param updatedNpm the folder into which npm installs programs for this user, or undefined if unknown
 * @returns undefined for any other file, and for a shim that does more than start a script with Node.js
 */
export function parseNpmShim(text: string, path: string, updatedNpm?: string): NpmShim | undefined {
  const line = text.trim().replace(/\s+/g, ' ');
  const folder = win32.dirname(path);
  for (const shim of PACKAGE_SHIM_PATTERNS) {
    const [, script] = shim.exec(line) ?? [];
    if (script !== undefined) return { scripts: [win32.resolve(folder, script)] };
  }
  const [, script] = NPM_SHIM_PATTERN.exec(line) ?? [];
  if (script === undefined || !line.includes(NODE_FALLBACK_LINE) || !line.endsWith('" %*')) return undefined;
  const folders = updatedNpm === undefined ? [folder] : [updatedNpm, folder];
  return { scripts: folders.map((place) => win32.resolve(place, script)) };
}
