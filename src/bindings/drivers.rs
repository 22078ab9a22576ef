//! The functions of each dialect: for drivers, for programs that build bodies themselves, and for gateways. The table
//! [`crate::dialects`] has their names.

use super::call::convert_between;
use crate::convert::Subject;
use crate::run::Dialect;
use wasm_bindgen::prelude::*;

/// The types that the functions of a dialect name: those of its file, or aliases of the types of its sibling.
macro_rules! types {
    ($function:ident $suffix:ident $source:literal) => {
        include_str!(concat!("../format/", stringify!($function), ".d.ts"))
    };
    ($function:ident $suffix:ident $source:literal $sibling:ident) => {
        concat!(
            alias!("The body of a request", $source, $suffix, $sibling, "Request"),
            alias!("The fields that hold the messages", $source, $suffix, $sibling, "Messages"),
            alias!("The fields that hold tools and choice", $source, $suffix, $sibling, "ToolConfig"),
            alias!("The `tools` of a request", $source, $suffix, $sibling, "Tools"),
            alias!("The tool choice of a request", $source, $suffix, $sibling, "ToolChoice"),
            alias!("The body of a response", $source, $suffix, $sibling, "Response"),
            alias!("A schema as the format has it", $source, $suffix, $sibling, "SchemaObject"),
        )
    };
}

macro_rules! alias {
    ($description:literal, $source:literal, $suffix:ident, $sibling:ident, $name:literal) => {
        concat!(
            "/**\n * ",
            $description,
            "; the same as {@link ",
            stringify!($sibling),
            $name,
            "}.\n *\n * @see ",
            $source,
            "\n */\n",
            "export type ",
            stringify!($suffix),
            $name,
            " = ",
            stringify!($sibling),
            $name,
            ";\n",
        )
    };
}

macro_rules! functions {
    ($variant:ident, $suffix:ident, $function:ident, $name:literal, $source:literal, [$($sibling:ident)?]) => { paste::paste! {
        // the TypeScript types of the functions' results
        #[wasm_bindgen(typescript_custom_section)]
        const [<$function:upper _WIRE>]: &str = types!($function $suffix $source $($sibling)?);

        // wasm-bindgen has no type parameters
        #[wasm_bindgen(typescript_custom_section)]
        const [<$function:upper _REQUEST>]: &str = concat!(
            "/**\n * Converts a canonical request to the body of ", $name, ".\n *\n * ```js\n * const body = to", stringify!($suffix),
            "({ model, messages: [{ role: \"user\", content: \"Hi\" }], tools }, { onWarning: console.warn });\n * ```\n *\n",
            " * @param request - The conversation, the tools and the settings.\n",
            " * @param options - How to convert; `onWarning` receives what was changed or left out.\n",
            " * @returns The request body, a plain object that shares unchanged parts with the input.\n",
            " * @see ", $source, "\n * @throws {ToolwireError} `invalid_type`, `invalid_value` or `missing_field` with the path to what is not a canonical\n",
            " * request; `unsupported` for what this format has no way to express.\n */\n",
            "export function to", stringify!($suffix), "<S extends boolean | undefined = undefined>(\n",
            "    request: ChatRequestInput & { stream?: S },\n    options?: Options,\n): Streamed<",
            stringify!($suffix), "Request, S>;\n",
        );

        #[wasm_bindgen(js_name = [<to $suffix>], skip_typescript)]
        pub fn [<to_ $function>](request: JsValue, options: JsValue) -> JsValue {
            convert_between(Subject::Request, Dialect::Canonical, Dialect::$variant, request, options)
        }

        #[doc = "Converts a response of " $name " to the canonical one. Responses of the official SDK are taken as they are."]
        ///
        /// ```js
        #[doc = "const { text, toolCalls, message } = from" $suffix "(response);"]
        /// ```
        ///
        #[doc = "@see " $source]
        /// @throws {ToolwireError} `invalid_type`, `invalid_value` or `missing_field` with the path to what is not such a response.
        #[wasm_bindgen(js_name = [<from $suffix>], unchecked_return_type = "ChatResponse", return_description = "The response; push its `message` into the next request as it is.")]
        pub fn [<from_ $function>](
            #[wasm_bindgen(unchecked_param_type = "object", param_description = "The response body, parsed.")]
            response: JsValue,
            #[wasm_bindgen(unchecked_optional_param_type = "Options", param_description = "How to convert; `onWarning` receives what was changed or left out.")]
            options: JsValue,
        ) -> JsValue {
            convert_between(Subject::Response, Dialect::$variant, Dialect::Canonical, response, options)
        }

        #[doc = "Converts tools alone to the `tools` of " $name "."]
        ///
        /// ```js
        #[doc = "const tools = to" $suffix "Tools([{ name: \"get_weather\", parameters: { type: \"object\", properties: {} } }]);"]
        /// ```
        ///
        /// @throws {ToolwireError} with the path to what is not a tool.
        #[wasm_bindgen(js_name = [<to $suffix Tools>], unchecked_return_type = [<$suffix Tools>], return_description = "The array that goes under `tools`.")]
        pub fn [<to_ $function _tools>](
            #[wasm_bindgen(unchecked_param_type = "(ToolDefinition | NativeTool)[]", param_description = "The tools; native ones keep their place.")]
            tools: JsValue,
            #[wasm_bindgen(unchecked_optional_param_type = "Options", param_description = "How to convert; `onWarning` receives what was changed or left out.")]
            options: JsValue,
        ) -> JsValue {
            convert_between(Subject::Tools, Dialect::Canonical, Dialect::$variant, tools, options)
        }

        #[doc = "Converts a tool choice alone to that of " $name "."]
        ///
        /// ```js
        #[doc = "const choice = to" $suffix "ToolChoice({ name: \"get_weather\" });"]
        /// ```
        ///
        /// @throws {ToolwireError} with the path to what is not a tool choice.
        #[wasm_bindgen(js_name = [<to $suffix ToolChoice>], unchecked_return_type = [<$suffix ToolChoice>], return_description = "The provider's form of the choice.")]
        pub fn [<to_ $function _tool_choice>](
            #[wasm_bindgen(unchecked_param_type = "ToolChoice", param_description = "Which tools the model may or must call.")]
            choice: JsValue,
            #[wasm_bindgen(unchecked_optional_param_type = "Options", param_description = "How to convert; `onWarning` receives what was changed or left out.")]
            options: JsValue,
        ) -> JsValue {
            convert_between(Subject::ToolChoice, Dialect::Canonical, Dialect::$variant, choice, options)
        }

        #[doc = "Converts tools, tool choice and parallel control together to the fields of " $name " that hold them."]
        ///
        /// ```js
        #[doc = "const body = { model, ...to" $suffix "ToolConfig({ tools, toolChoice: \"required\", parallelToolCalls: false }) };"]
        /// ```
        ///
        /// @throws {ToolwireError} with the path to what does not fit the canonical format.
        #[wasm_bindgen(js_name = [<to $suffix ToolConfig>], unchecked_return_type = [<$suffix ToolConfig>], return_description = "The fields, to spread into a request body.")]
        pub fn [<to_ $function _tool_config>](
            #[wasm_bindgen(unchecked_param_type = "ToolConfig", param_description = "The three fields; a whole request will do.")]
            config: JsValue,
            #[wasm_bindgen(unchecked_optional_param_type = "Options", param_description = "How to convert; `onWarning` receives what was changed or left out.")]
            options: JsValue,
        ) -> JsValue {
            convert_between(Subject::ToolConfig, Dialect::Canonical, Dialect::$variant, config, options)
        }

        #[doc = "Converts messages alone to the fields of " $name " that hold them."]
        ///
        /// ```js
        #[doc = "const body = { model, ...to" $suffix "Messages([{ role: \"user\", content: \"Hi\" }]) };"]
        /// ```
        ///
        /// @throws {ToolwireError} with the path to what is not a message; `missing_result`, `orphan_result` or `duplicate_result`
        /// where the option of that name asks for it.
        #[wasm_bindgen(js_name = [<to $suffix Messages>], unchecked_return_type = [<$suffix Messages>], return_description = "The fields, to spread into a request body.")]
        pub fn [<to_ $function _messages>](
            #[wasm_bindgen(unchecked_param_type = "MessageInput[]", param_description = "The conversation, oldest message first.")]
            messages: JsValue,
            #[wasm_bindgen(unchecked_optional_param_type = "Options", param_description = "How to convert; `onWarning` receives what was changed or left out.")]
            options: JsValue,
        ) -> JsValue {
            convert_between(Subject::Messages, Dialect::Canonical, Dialect::$variant, messages, options)
        }

        #[doc = "Converts a single JSON Schema to what " $name " accepts: as the parameters of a tool, or with `for: \"format\"` as the format of the response."]
        /// `strict` asks for the rules of strict mode.
        ///
        /// ```js
        #[doc = "const schema = to" $suffix "Schema({ type: \"object\", properties: { city: { type: \"string\" } } }, { strict: true });"]
        /// ```
        ///
        /// @throws {ToolwireError} `invalid_type` for what is not an object; `too_deep` for a schema that cannot be written without
        /// references.
        #[wasm_bindgen(js_name = [<to $suffix Schema>], unchecked_return_type = [<$suffix SchemaObject>], return_description = "The schema. It shares unchanged parts with the input.")]
        pub fn [<to_ $function _schema>](
            #[wasm_bindgen(unchecked_param_type = "JsonSchema", param_description = "The schema.")]
            schema: JsValue,
            #[wasm_bindgen(unchecked_optional_param_type = "Options & { strict?: boolean; for?: SchemaUse }", param_description = "How to convert. `onWarning` receives what the provider does not accept; `strict_dropped` if strict mode cannot express the schema.")]
            options: JsValue,
        ) -> JsValue {
            convert_between(Subject::Schema, Dialect::Canonical, Dialect::$variant, schema, options)
        }

        #[doc = "Reads the tool calls out of one assistant message of " $name "."]
        ///
        /// ```js
        #[doc = "const { toolCalls, invalidToolCalls } = from" $suffix "ToolCalls(message);"]
        /// ```
        ///
        /// @throws {ToolwireError} with the path to what is not such a message.
        #[wasm_bindgen(js_name = [<from $suffix ToolCalls>], unchecked_return_type = "ToolCalls", return_description = "The calls in their order, and those whose arguments are not a JSON object.")]
        pub fn [<from_ $function _tool_calls>](
            #[wasm_bindgen(unchecked_param_type = "object", param_description = "The message as it is in a response or request.")]
            message: JsValue,
            #[wasm_bindgen(unchecked_optional_param_type = "Options", param_description = "How to convert; `onWarning` receives what was changed or left out.")]
            options: JsValue,
        ) -> JsValue {
            convert_between(Subject::ToolCalls, Dialect::$variant, Dialect::Canonical, message, options)
        }

        #[doc = "Converts a request body of " $name " to the canonical request, as a gateway needs it."]
        ///
        /// ```js
        #[doc = "const request = from" $suffix "Request(await incoming.json());"]
        /// ```
        ///
        #[doc = "@see " $source]
        /// @throws {ToolwireError} `invalid_type`, `invalid_value` or `missing_field` with the path to what is not such a request.
        #[wasm_bindgen(js_name = [<from $suffix Request>], unchecked_return_type = "ChatRequest", return_description = "The canonical request; what it does not model is in `metadata`.")]
        pub fn [<from_ $function _request>](
            #[wasm_bindgen(unchecked_param_type = "object", param_description = "The request body, parsed.")]
            body: JsValue,
            #[wasm_bindgen(unchecked_optional_param_type = "Options", param_description = "How to convert; `onWarning` receives what was changed or left out.")]
            options: JsValue,
        ) -> JsValue {
            convert_between(Subject::Request, Dialect::$variant, Dialect::Canonical, body, options)
        }

        #[doc = "Converts a canonical response to the response body of " $name ", as a gateway needs it."]
        ///
        /// ```js
        #[doc = "const body = to" $suffix "Response(response);"]
        /// ```
        ///
        #[doc = "@see " $source]
        /// @throws {ToolwireError} `invalid_type`, `invalid_value` or `missing_field` with the path to what is not a canonical response.
        #[wasm_bindgen(js_name = [<to $suffix Response>], unchecked_return_type = [<$suffix Response>], return_description = "The response body, with every field that the provider's clients require.")]
        pub fn [<to_ $function _response>](
            #[wasm_bindgen(unchecked_param_type = "ChatResponse", param_description = "The response.")]
            response: JsValue,
            #[wasm_bindgen(unchecked_optional_param_type = "Options", param_description = "How to convert; `onWarning` receives what was changed or left out.")]
            options: JsValue,
        ) -> JsValue {
            convert_between(Subject::Response, Dialect::Canonical, Dialect::$variant, response, options)
        }
    } };
}

#[wasm_bindgen(typescript_custom_section)]
const STREAMED: &str = r#"
/** A request body whose `stream` is a literal where that of the request is one: SDKs choose the type of the response by it. */
export type Streamed<Body, S> = "stream" extends keyof Body
    ? [S] extends [boolean] ? ([boolean] extends [S] ? Body : Body & { stream: S }) : Body
    : Body;
"#;

macro_rules! all {
    ($(($variant:ident, $_name:literal $_title:literal, $_folder:ident :: $_row:ident, $_provider:expr
        $(, $function:ident $suffix:ident $documented:literal $source:literal $(as $sibling:ident)?)?))+) => {
        $($(functions!($variant, $suffix, $function, $documented, $source, [$($sibling)?]);)?)+
    };
}
crate::dialects!(all);
