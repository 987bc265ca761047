/** Carries out removals and reloads of a server that several muxes have: for this mux, and for the others. */
export interface ServerManager {
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
}
