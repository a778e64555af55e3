// As sdk.mjs, with the client of @modelcontextprotocol/client, which finds out what the server speaks.
import { createRequire } from "node:module";
import { talk, task } from "./talk.mjs";

const require = createRequire(`${process.env.NODE_TOOLS}/`);
const { Client, StreamableHTTPClientTransport } = require("@modelcontextprotocol/client");
const { StdioClientTransport } = require("@modelcontextprotocol/client/stdio");

const { url, command, ops } = await task();
const client = new Client({ name: "matrix", version: "1" }, { versionNegotiation: { mode: "auto" } });
const transport = url
  ? new StreamableHTTPClientTransport(new URL(url))
  : new StdioClientTransport({ command: command[0], args: command.slice(1), env: process.env, stderr: "ignore" });
await client.connect(transport);
await talk(client, client.getNegotiatedProtocolVersion?.() ?? null, ops);
