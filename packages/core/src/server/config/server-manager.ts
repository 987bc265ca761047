/** The actions of clients of one mux on a server that several muxes have. */
export interface ExternalControl {
  /**
   * Removes the server for the other muxes. This mux removes the server afterwards, and keeps it if this rejects.
   * Undefined: this mux removes the server at once.
   */
  remove(): Promise<void> | undefined;
  /**
   * Starts the server again on the mux that runs it. This mux connects to the server anew afterwards, and keeps its
   * connection if this rejects. Resolves at once where this mux itself runs the server.
   */
  reload(options: { readonly approve: boolean }): Promise<void>;
  /**
   * Resolves when the server has moved to another mux, or will not have soon: requests wait until then. Undefined for a
   * server that does not move. Requests do not wait when absent.
   */
  arriving?(): Promise<void> | undefined;
  /**
   * The answer of `server_logs` of the mux that runs the server, JSON text. Undefined where this mux itself runs the
   * server, or the other mux cannot be asked: this mux shows what it knows.
   *
   * @param lines undefined: the beginning and the end
   */
  logs(lines: number | undefined): Promise<string | undefined>;
}
