// Validates and renders react-jsonschema forms, all in one process.
// usage: node forms.mjs FOLDER-WITH-NODE_MODULES < [{schema, uiSchema, good: [...], bad: [...]}, ...]
// out: one line of JSON a form: {good: [is it taken?], bad: [is it taken?], html}
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(`${process.argv[2]}/`);
const React = require("react");
const { renderToStaticMarkup } = require("react-dom/server");
const { default: Form } = require("@rjsf/core");
const { customizeValidator } = require("@rjsf/validator-ajv8");
const Ajv2020 = require("ajv/dist/2020");
const validator = customizeValidator({ AjvClass: Ajv2020.default ?? Ajv2020 });

for (const { schema, uiSchema, good, bad } of JSON.parse(readFileSync(0, "utf8"))) {
  const taken = (data) => validator.isValid(schema, data, schema);
  const html = renderToStaticMarkup(React.createElement(Form, { schema, uiSchema, validator }));
  console.log(JSON.stringify({ good: good.map(taken), bad: bad.map(taken), html }));
}
