// The client of @modelcontextprotocol/sdk has the conversation: {url | command, ops} on stdin, what it heard on stdout.
import { createRequire } from "node:module";
import { talk, task } from "./talk.mjs";

const require = createRequire(`${process.env.NODE_TOOLS}/`);
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport } = require("@modelcontextprotocol/sdk/client/streamableHttp.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");

const { url, command, ops } = await task();
const client = new Client({ name: "matrix", version: "1" });
const transport = url
  ? new StreamableHTTPClientTransport(new URL(url))
  : new StdioClientTransport({ command: command[0], args: command.slice(1), env: process.env, stderr: "ignore" });
let protocol = null;
const told = transport.setProtocolVersion?.bind(transport);
transport.setProtocolVersion = (version) => {
  protocol = version;
  told?.(version);
};
await client.connect(transport);
await talk(client, protocol, ops);
