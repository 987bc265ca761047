/** Removes, reloads and reads the logs of a server that several muxes share, on behalf of one mux's clients. */
export interface ExternalControl {
  /**
   * Removes the server from the other muxes. This mux removes it when the promise resolves, or at once if the method
   * returns undefined. If the promise rejects, the server stays.
   */
  remove(): Promise<void> | undefined;
  /**
   * Restarts the server in the mux that runs it. This mux reconnects when the promise resolves; if it rejects, the
   * existing connection stays open. Resolves at once if this mux itself runs the server.
   */
  reload(options: { readonly approve: boolean }): Promise<void>;
  /**
   * Resolves when the server has moved to another mux, or when no move is expected soon. Requests wait until then. They
   * do not wait if the method is absent or returns undefined, as for a server that is not moving.
   */
  arriving?(): Promise<void> | undefined;
  /**
   * Returns the `server_logs` result from the mux that runs the server, as JSON text. Returns undefined if this mux
   * itself runs the server or cannot reach the other mux; this mux then returns its own log.
   *
   * @param lines the number of lines; undefined for the first and the last lines
   */
  logs(lines: number | undefined): Promise<string | undefined>;
}
