/** Performs actions of one mux's clients on a server that several muxes share. */
export interface ExternalControl {
  /**
   * Removes the server from the other muxes. When the promise resolves, this mux removes the server too; if it rejects,
   * the server stays. If undefined is returned, this mux removes the server at once.
   */
  remove(): Promise<void> | undefined;
  /**
   * Restarts the server in the mux that runs it. When the promise resolves, this mux reconnects; if it rejects, the
   * connection stays. Resolves at once if this mux itself runs the server.
   */
  reload(options: { readonly approve: boolean }): Promise<void>;
  /**
   * Resolves when the server has moved to another mux, or is not going to move soon. Requests wait until then. Returns
   * undefined for a server that does not move. When absent, requests do not wait.
   */
  arriving?(): Promise<void> | undefined;
  /**
   * Returns the `server_logs` answer of the mux that runs the server, as JSON text. Returns undefined if this mux
   * itself runs the server or cannot reach the other mux. In these cases, this mux returns its own log.
   *
   * @param lines the number of lines; undefined for the beginning and the end
   */
  logs(lines: number | undefined): Promise<string | undefined>;
}
