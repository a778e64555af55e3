/** @import {Json, Result} from "./types.js" */

// MCP of protocol 2026-07-28 over HTTP: each request stands alone, so a server that was restarted is not missed.

const VERSION = "2026-07-28";
const APPS = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientInfo": { name: "fsmvoice-page", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": { extensions: APPS },
};
const PATIENCE = 60_000;
let number = 0;

/**
 * @param {string} url
 * @param {Json} meta - what each request says beside the protocol's own
 */
export function mcpClient(url, meta) {
  /**
   * @param {string} method
   * @param {Json} params
   * @param {AbortSignal} signal
   */
  async function post(method, params, signal) {
    number += 1;
    const name = params.name ?? params.uri;
    const response = await fetch(url, {
      method: "POST",
      signal,
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": VERSION,
        "Mcp-Method": method,
        ...(name && { "Mcp-Name": name }),
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: number,
        method,
        params: { ...params, _meta: { ...ENVELOPE, ...meta, ...params._meta } },
      }),
    });
    return { id: number, response };
  }

  return {
    /**
     * @param {string} method
     * @param {Json} params
     * @returns {Promise<Result>}
     */
    async request(method, params) {
      const { id, response } = await post(method, params, AbortSignal.timeout(PATIENCE));
      for await (const message of messagesOf(response)) {
        if (message.id !== id) continue;
        if (message.error) throw new Error(message.error.message);
        return message.result;
      }
      throw new Error(`no answer (${response.status})`);
    },
    /**
     * Hear of changes until the stream ends; `changed` is called once more when it begins.
     * @param {string} uri
     * @param {() => void} changed
     */
    async listen(uri, changed) {
      const params = { notifications: { resourceSubscriptions: [uri] } };
      const { response } = await post("subscriptions/listen", params, new AbortController().signal);
      if (!response.ok) throw new Error(`no stream (${response.status})`);
      changed();
      for await (const message of messagesOf(response)) {
        if (message.error) throw new Error(message.error.message);
        if (message.method === "notifications/resources/updated") changed();
      }
    },
  };
}

/**
 * The messages of an answer, be it one document or a stream of events.
 * @param {Response} response
 * @returns {AsyncGenerator<Json>}
 */
async function* messagesOf(response) {
  if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
    yield await response.json();
    return;
  }
  if (!response.body) return;
  let rest = "";
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (rest + value).split(/\r?\n\r?\n/);
    rest = events.pop() ?? "";
    for (const event of events) {
      const data = event.split(/\r?\n/).filter((line) => line.startsWith("data:"));
      const text = data.map((line) => line.slice(5).trimStart()).join("\n");
      if (text) yield JSON.parse(text);
    }
  }
}
