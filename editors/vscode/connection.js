"use strict";

/**
 * JSON-RPC over the standard streams of a process, framed as the Language Server Protocol wants it.
 *
 * Knows nothing of editors, so that it can be tested without one.
 */
class Connection {
  /**
   * @param {import("child_process").ChildProcess} process the server
   * @param {{ notification?: Function, request?: Function, closed?: Function }} handlers
   *   `notification(method, params)` and `request(method, params)` are called for messages of the
   *   server; the result of `request` is the answer. `closed(reason)` is called once at the end.
   */
  constructor(process, handlers) {
    this.process = process;
    this.handlers = handlers;
    this.lastId = 0;
    this.pending = new Map();
    this.buffer = Buffer.alloc(0);
    this.isClosed = false;
    process.stdout.on("data", (chunk) => this.receive(chunk));
    process.on("error", (error) => this.close(error.message));
    process.on("exit", (code) => this.close(`swexpr ended with exit code ${code}`));
    // A server that has gone is noticed by its exit.
    process.stdin.on("error", () => {});
  }

  /**
   * Sends a request.
   *
   * @param {AbortSignal} [signal] cancels the request
   * @returns {Promise<any>} the result; `null` for a request that was cancelled
   */
  request(method, params, signal) {
    if (this.isClosed) return Promise.reject(new Error("swexpr is not running"));
    if (signal?.aborted) return Promise.resolve(null);
    const id = ++this.lastId;
    this.send({ id, method, params });
    return new Promise((resolve, reject) => {
      const cancel = () => this.notify("$/cancelRequest", { id });
      signal?.addEventListener("abort", cancel, { once: true });
      const done = () => signal?.removeEventListener("abort", cancel);
      this.pending.set(id, {
        resolve: (result) => (done(), resolve(result)),
        reject: (error) => (done(), reject(error)),
      });
    });
  }

  /** Sends a notification. */
  notify(method, params) {
    if (!this.isClosed) this.send({ method, params });
  }

  send(message) {
    const content = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }), "utf8");
    this.process.stdin.write(`Content-Length: ${content.length}\r\n\r\n`);
    this.process.stdin.write(content);
  }

  receive(chunk) {
    this.buffer = Buffer.concat([this.buffer, chunk]);
    for (;;) {
      const end = this.buffer.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = /content-length: *(\d+)/i.exec(this.buffer.toString("latin1", 0, end));
      if (!length) return this.close("swexpr sent something that is no message");
      const start = end + 4;
      const stop = start + Number(length[1]);
      if (this.buffer.length < stop) return;
      const message = JSON.parse(this.buffer.toString("utf8", start, stop));
      this.buffer = this.buffer.subarray(stop);
      this.handle(message);
    }
  }

  handle(message) {
    if (message.method === undefined) {
      const waiting = this.pending.get(message.id);
      this.pending.delete(message.id);
      if (!waiting) return;
      const { error } = message;
      if (!error) waiting.resolve(message.result);
      else if (error.code === -32800) waiting.resolve(null);
      else waiting.reject(Object.assign(new Error(error.message), { code: error.code }));
    } else if (message.id === undefined) {
      this.handlers.notification?.(message.method, message.params);
    } else {
      const result = this.handlers.request?.(message.method, message.params) ?? null;
      this.send({ id: message.id, result });
    }
  }

  close(reason) {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const { reject } of this.pending.values()) reject(new Error(reason));
    this.pending.clear();
    this.handlers.closed?.(reason);
  }

  /** Ends the session as the protocol wants it. */
  async stop() {
    if (this.isClosed) return;
    try {
      await this.request("shutdown", null);
    } catch {
      // It ends anyway.
    }
    this.notify("exit", null);
    this.process.stdin.end();
  }
}

module.exports = { Connection };
