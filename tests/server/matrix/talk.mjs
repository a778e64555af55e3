// What both TypeScript clients do. Listing the tools first makes them check each result against its outputSchema.
export async function task() {
  let text = "";
  for await (const chunk of process.stdin) text += chunk;
  return JSON.parse(text);
}

export async function talk(client, protocol, ops) {
  const heard = [];
  for (const op of ops) {
    if (op.do === "list") {
      const { tools } = await client.listTools();
      heard.push({ tools: tools.map((tool) => tool.name) });
    } else if (op.do === "read") {
      const { contents } = await client.readResource({ uri: op.name });
      heard.push({ state: JSON.parse(contents[0].text) });
    } else {
      const result = await client.callTool({ name: op.name, arguments: op.arguments, _meta: op.meta });
      const [{ text }] = result.content;
      heard.push({ text, isError: result.isError ?? false, structured: result.structuredContent });
    }
  }
  await client.close();
  process.stdout.write(JSON.stringify({ protocol, heard }));
}
