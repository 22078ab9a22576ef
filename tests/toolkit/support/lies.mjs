// What servers of MCP may send that they should not, and what becomes of it.

const object = { type: "object" };
const withField = (schema) => ({ type: "object", properties: { a: schema } });
const nested = (depth) => JSON.parse(`${'{"items":'.repeat(depth)}{}${"}".repeat(depth)}`);
const cyclic = { type: "object", properties: {} };
cyclic.properties.a = cyclic;

/** Tools, and the parameters that they get; undefined if the tool is left out. */
export const schemas = [
  ["no input schema", undefined, object],
  ["null", null, object],
  ["an empty schema", {}, object],
  ["no type", { properties: { a: {} } }, withField({})],
  [
    "an exclusive minimum of draft-04",
    withField({ minimum: 0, exclusiveMinimum: true }),
    withField({ exclusiveMinimum: 0 }),
  ],
  [
    "an exclusive maximum of draft-04",
    withField({ maximum: 9, exclusiveMaximum: true }),
    withField({ exclusiveMaximum: 9 }),
  ],
  ["an exclusive bound that is false", withField({ minimum: 0, exclusiveMinimum: false }), withField({ minimum: 0 })],
  ["divisibleBy", withField({ divisibleBy: 2 }), withField({ multipleOf: 2 })],
  ["a field that is required: true", withField({ required: true }), { ...withField({}), required: ["a"] }],
  ["a field that is required: false", withField({ required: false }), withField({})],
  ["required: null", { ...object, required: null }, object],
  ["properties: null", { ...object, properties: null }, object],
  ["a field that is null", withField(null), withField({})],
  ["items: null", withField({ type: "array", items: null }), withField({ type: "array" })],
  ["enum: null", withField({ enum: null }), { ...withField({ enum: null }), left: true }],
  ["a default that is null", withField({ default: null }), withField({ default: null })],
  ["the type any", withField({ type: "any" }), withField({})],
  ["a list of types with any", withField({ type: ["string", "any"] }), withField({})],
  ["types in capitals", { type: "OBJECT", properties: { a: { type: "STRING" } } }, withField({ type: "string" })],
  ["the type int", withField({ type: "int" }), withField({ type: "integer" })],
  ["the type float", withField({ type: "float" }), withField({ type: "number" })],
  ["the type bool", withField({ type: "bool" }), withField({ type: "boolean" })],
  ["the type str", withField({ type: "str" }), withField({ type: "string" })],
  ["the type list", withField({ type: "list" }), withField({ type: "array" })],
  ["the type dict", withField({ type: "dict" }), withField({ type: "object" })],
  ["nullable", withField({ type: "string", nullable: true }), withField({ type: ["string", "null"] })],
  ["a declaration of draft-04", { $schema: "http://json-schema.org/draft-04/schema#", type: "object" }, object],
  [
    "an odd schema in a list",
    withField({ anyOf: [{ type: "int" }, null] }),
    withField({ anyOf: [{ type: "integer" }, {}] }),
  ],
  ["a reference without a target", withField({ $ref: "#/$defs/none" }), undefined],
  ["a reference to another server", withField({ $ref: "https://example.com/a.json" }), undefined],
  ["a pattern of PCRE", withField({ pattern: "(?i)abc" }), undefined],
  ["a pattern with a backreference", withField({ pattern: "(a+)\\1" }), undefined],
  ["a pattern that repeats too much", withField({ pattern: "((a{1,300}){1,300}){1,300}" }), undefined],
  ["a text as a schema", "object", undefined],
  ["a list as a schema", [], undefined],
  ["a number as a type", withField({ type: 5 }), undefined],
  ["a list as properties", { type: "object", properties: [{ name: "a" }] }, undefined],
  ["a schema without end", cyclic, undefined],
  ["a schema nested deeply", withField(nested(3000)), undefined],
].map(([lie, inputSchema, parameters]) => ({
  lie,
  inputSchema,
  parameters: parameters?.left ? undefined : parameters,
}));

/** Fields of a tool, and those that it gets. `trust`: whether the server is trusted. */
export const fields = [
  { lie: "a description that is a number", tool: { description: 5 }, has: { description: undefined } },
  { lie: "a title that is an object", tool: { title: {} }, has: { title: undefined } },
  { lie: "annotations: null", tool: { annotations: null }, has: { needsApproval: true } },
  {
    lie: "readOnlyHint as text",
    tool: { annotations: { readOnlyHint: "true" } },
    trust: true,
    has: { needsApproval: true },
  },
  {
    lie: "readOnlyHint: 1",
    tool: { annotations: { readOnlyHint: 1 } },
    trust: true,
    has: { needsApproval: true, idempotent: false },
  },
  { lie: "readOnlyHint of a stranger", tool: { annotations: { readOnlyHint: true } }, has: { needsApproval: true } },
  { lie: "destructiveHint as text", tool: { annotations: { destructiveHint: "yes" } }, has: { dangerous: true } },
  {
    lie: "destructiveHint: 'false'",
    tool: { annotations: { destructiveHint: "false" } },
    trust: true,
    has: { dangerous: false, needsApproval: true },
  },
  { lie: "idempotentHint: 1", tool: { annotations: { idempotentHint: 1 } }, trust: true, has: { idempotent: false } },
  { lie: "outputSchema: null", tool: { outputSchema: null }, has: { outputSchema: undefined } },
  {
    lie: "an output schema that is none",
    tool: { outputSchema: { type: 5 } },
    has: { outputSchema: undefined },
    warns: true,
  },
];

/** Pages of a list, and the names that are read. */
const good = { name: "good" };
export const lists = [
  { lie: "no name", pages: [{ tools: [{}, good] }], names: ["good"], warns: true },
  { lie: "an empty name", pages: [{ tools: [{ name: "" }, good] }], names: ["good"], warns: true },
  { lie: "a name that is a number", pages: [{ tools: [{ name: 5 }, good] }], names: ["good"], warns: true },
  { lie: "a tool that is null", pages: [{ tools: [null, good] }], names: ["good"], warns: true },
  { lie: "a tool that is a text", pages: [{ tools: ["a", good] }], names: ["good"], warns: true },
  {
    lie: "two names that become one",
    pages: [{ tools: [{ name: "a b" }, { name: "a_b" }] }],
    names: ["a_b", "a_b_7o3z3l"],
  },
  { lie: "names in Chinese", pages: [{ tools: [{ name: "获取天气" }, { name: "搜索网页" }, good] }], distinct: 3 },
  { lie: "names of symbols", pages: [{ tools: [{ name: "🌦" }, { name: "🌧" }] }], distinct: 2 },
  { lie: "long names", pages: [{ tools: [{ name: "a".repeat(300) }, { name: `${"a".repeat(300)}b` }] }], distinct: 2 },
  {
    lie: "the same name many times",
    pages: [{ tools: [good, good, good] }],
    names: ["good"],
    warns: true,
  },
  { lie: "no tools", pages: [{}], names: [], warns: true },
  { lie: "tools: null", pages: [{ tools: null }], names: [], warns: true },
  { lie: "no page", pages: [null], names: [], warns: true },
  { lie: "an empty cursor", pages: [{ tools: [good], nextCursor: "" }], names: ["good"] },
  { lie: "nextCursor: null", pages: [{ tools: [good], nextCursor: null }], names: ["good"] },
  { lie: "a cursor that is a number", pages: [{ tools: [good], nextCursor: 1 }], names: ["good"] },
  {
    lie: "a cursor that repeats",
    pages: [
      { tools: [good], nextCursor: "a" },
      { tools: [], nextCursor: "a" },
    ],
    names: ["good"],
    warns: true,
  },
  {
    lie: "two cursors that alternate",
    pages: [
      { tools: [good], nextCursor: "a" },
      { tools: [], nextCursor: "b" },
      { tools: [], nextCursor: "a" },
    ],
    names: ["good"],
    warns: true,
  },
];

const text = (text) => ({ type: "text", text });
const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const failed = "failed";

/** Results of a call, and what the model sees: a part of the result as JSON, and `status` if it is not `done`. */
export const results = [
  {
    lie: "an error with an unknown field",
    result: { isError: true, content: [text("no disk")], code: 5 },
    status: failed,
    sees: "no disk",
  },
  {
    lie: "an error with an unknown block",
    result: { isError: true, content: [{ type: "trace", value: "no disk" }] },
    status: failed,
    sees: "no disk",
  },
  { lie: "an error without content", result: { isError: true }, status: failed, sees: "failed" },
  { lie: "isError as text", result: { isError: "true", content: [text("no disk")] }, status: failed, sees: "no disk" },
  { lie: "isError: 1", result: { isError: 1, content: [text("no disk")] }, status: failed, sees: "no disk" },
  {
    lie: "an error with structured content only",
    result: { isError: true, content: [], structuredContent: { code: "QUOTA" } },
    status: failed,
    sees: "QUOTA",
  },
  {
    lie: "an error that violates the output schema",
    outputSchema: schema,
    result: { isError: true, content: [text("no disk")] },
    status: failed,
    sees: "no disk",
  },
  {
    lie: "text beside structured content",
    result: { content: [text("2 items")], structuredContent: { a: [1, 2] } },
    sees: "2 items",
  },
  {
    lie: "structured content beside text",
    result: { content: [text("2 items")], structuredContent: { a: [1, 2] } },
    sees: "[1,2]",
  },
  {
    lie: "structured content that the text repeats",
    result: { content: [text('{"a":1}')], structuredContent: { a: 1 } },
    is: { a: 1 },
  },
  {
    lie: "structured content with its text in a field",
    result: { content: [text("hi")], structuredContent: { result: "hi" } },
    is: { result: "hi" },
  },
  { lie: "structured content that is null", result: { content: [text("hi")], structuredContent: null }, is: "hi" },
  { lie: "structured content that is a list", result: { content: [], structuredContent: [1] }, is: [1] },
  { lie: "an unknown block", result: { content: [text("a"), { type: "chart", points: [7] }] }, sees: "[7]" },
  { lie: "a block that is null", result: { content: [null, text("hi")] }, sees: "hi" },
  { lie: "a block that is a text", result: { content: ["hi"] }, is: "hi" },
  { lie: "a block without a type", result: { content: [{ text: "hi" }] }, sees: "hi" },
  { lie: "content that is a text", result: { content: "hi" }, is: "hi" },
  { lie: "content that is one block", result: { content: text("hi") }, is: "hi" },
  { lie: "a text that is a number", result: { content: [{ type: "text", text: 42 }] }, sees: "42" },
  { lie: "no content", result: { structuredContent: { a: 1 } }, is: { a: 1 } },
  { lie: "empty content", result: { content: [] }, is: "" },
  { lie: "an object of its own", result: { answer: 42 }, sees: "42" },
  { lie: "a result of the first protocol", result: { toolResult: { answer: 42 } }, sees: "42" },
  { lie: "more fields beside the content", result: { content: [text("hi")], took: 5 }, is: "hi" },
  { lie: "a text as a result", result: "hi", is: "hi" },
  { lie: "no result", result: undefined, status: failed, sees: "no result" },
  { lie: "null as a result", result: null, status: failed, sees: "no result" },
  { lie: "an image without data", result: { content: [{ type: "image", mimeType: "image/png" }] }, sees: "image/png" },
  {
    lie: "an image whose data is a number",
    result: { content: [{ type: "image", data: 5, mimeType: "image/png" }] },
    sees: "5",
  },
  {
    lie: "an image that is not base64",
    result: { content: [{ type: "image", data: "<svg>", mimeType: "image/png" }] },
    sees: "<svg>",
  },
  {
    lie: "an image with a media type that is a number",
    result: { content: [{ type: "image", data: "AAAA", mimeType: 5 }] },
    sees: "AAAA",
  },
  { lie: "a resource that is null", result: { content: [{ type: "resource", resource: null }] }, sees: "resource" },
  {
    lie: "a resource without content",
    result: { content: [{ type: "resource", resource: { uri: "file:///a" } }] },
    sees: "file:///a",
  },
  { lie: "a link without a URI", result: { content: [{ type: "resource_link", name: "a" }] }, sees: "resource_link" },
  {
    lie: "text in the place of structured content",
    outputSchema: schema,
    result: { content: [text("seven")] },
    sees: "seven",
  },
  {
    lie: "JSON in the place of structured content",
    outputSchema: schema,
    result: { content: [text('{"n":7}')] },
    is: { n: 7 },
  },
  {
    lie: "structured content of another schema",
    outputSchema: schema,
    result: { content: [], structuredContent: { n: "x" } },
    status: failed,
    sees: "result",
  },
];

/** What a client throws or rejects with, and what the model sees. */
export const rejections = [
  { lie: "a rejection with nothing", error: undefined, sees: "without a reason" },
  { lie: "a rejection with null", error: null, sees: "without a reason" },
  { lie: "a rejection with a text", error: "no route", sees: "no route" },
  { lie: "a rejection with an object", error: { message: "no route" }, sees: "no route" },
];
