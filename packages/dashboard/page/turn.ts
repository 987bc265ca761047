/**
 * Resolves after the browser has had time for user input and drawing. A timer would wait a second or longer while the
 * page is in the background.
 */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
