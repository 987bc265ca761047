// src/programs/listen-on-loopback.ts
import { Server } from "net";
var { listen } = Server.prototype;
Server.prototype.listen = function listenOnLoopback(port, ...rest) {
  const listener = rest.find((argument) => typeof argument === "function");
  return Reflect.apply(listen, this, [Number(port), "127.0.0.1", listener]);
};
//# sourceMappingURL=listen-on-loopback.js.map