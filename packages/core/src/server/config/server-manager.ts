/** The actions of one mux's clients on a server that several muxes have. */
export interface ExternalControl {
  /**
   * Removes the server for the other muxes. Afterwards this mux removes the server, or keeps it if the promise rejects.
   * With undefined, this mux removes the server at once.
   */
  remove(): Promise<void> | undefined;
  /**
   * Starts the server again on the mux that runs it. Afterwards this mux reconnects to the server, or keeps its
   * connection if the promise rejects. Resolves at once if this mux itself runs the server.
   */
  reload(options: { readonly approve: boolean }): Promise<void>;
  /**
   * Resolves when the server has moved to another mux, or will not move soon. Requests wait until then. Returns
   * undefined for a server that does not move. When absent, requests do not wait.
   */
  arriving?(): Promise<void> | undefined;
  /**
   * Returns the `server_logs` answer of the mux that runs the server, as JSON text. Returns undefined if this mux
   * itself runs the server or cannot ask the other mux. Then this mux shows what it knows.
   *
   * @param lines the number of lines; undefined for the beginning and the end
   */
  logs(lines: number | undefined): Promise<string | undefined>;
}
