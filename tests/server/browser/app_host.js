// The page of a host, in the browser: the official AppBridge around the App in a sandboxed frame.
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

const CAPABILITIES = { serverTools: {}, updateModelContext: { text: {}, structuredContent: {} }, message: { text: {} } };

window.startHost = async (html, hostContext, capabilities = CAPABILITIES) => {
  window.heard = { calls: [], context: [], messages: [], sizes: [] };
  const frame = document.createElement("iframe");
  frame.title = "App";
  frame.setAttribute("sandbox", "allow-scripts");
  frame.style.cssText = "width:760px;height:470px;border:0";
  document.body.append(frame);
  const bridge = new AppBridge(null, { name: "test-host", version: "1" }, capabilities, { hostContext });
  bridge.oncalltool = async (params) => {
    window.heard.calls.push(params);
    return window.callTool(params);
  };
  bridge.onupdatemodelcontext = async (params) => {
    window.heard.context.push(params.content[0].text);
    return {};
  };
  bridge.onmessage = async (params) => {
    window.heard.messages.push(params.content[0].text);
    return {};
  };
  bridge.onsizechange = (params) => window.heard.sizes.push(params);
  const ready = new Promise((done) => {
    bridge.oninitialized = done;
  });
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  // What a host puts in front of an App that says it needs nothing from outside.
  const policy = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'";
  frame.srcdoc = html.replace("<head>", `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`);
  await ready;
  window.bridge = bridge;
};
