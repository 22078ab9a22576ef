//! Objects with a type, in OpenAI's two formats: Chat Completions nests the fields in an object named after the type, and Responses has them beside
//! the type.

use super::freeform;
use super::tools::{read_choice_word, take_mode};
use crate::format::Layout;
use crate::model::{Metadata, Request, ResponseFormat, Tool, ToolChoice};
use crate::run::{At, Reading, Result, Run, WarningCode, Writing};
use crate::value::{Keys, Kind, Value, Word};

impl Layout {
    fn take_type(self, run: &Run, reading: &mut Reading) -> Word {
        let usual = if self == Layout::Nested { Word::function } else { Word::Unknown };
        reading.take_any(Word::r#type).map_or(usual, |kind| run.store.word(kind))
    }

    /// Reads the fields of the type. Remaining members are added to those of the outer object.
    fn within<T>(
        self,
        run: &mut Run,
        reading: &mut Reading,
        kind: Word,
        read: impl FnOnce(&mut Run, &mut Reading) -> Result<T>,
    ) -> Result<T> {
        if self == Layout::Flat {
            return read(run, reading);
        }
        let mut inner = reading.require_object(run, kind)?;
        let outcome = read(run, &mut inner)?;
        reading.give_back_rest(run, kind, inner);
        Ok(outcome)
    }

    /// Writes an object with a type and remaining members; `write` writes the fields of the type.
    fn put(self, run: &mut Run, kind: Word, rest: Option<Value>, write: impl FnOnce(&mut Run, &mut Writing)) {
        let mut object = run.begin();
        object.word(run, Word::r#type, kind);
        match self {
            Layout::Flat => write(run, &mut object),
            Layout::Nested => {
                object.object(run, kind, |run, inner| {
                    write(run, inner);
                    let rest = rest.and_then(|rest| run.member(rest, kind));
                    inner.add_rest(run, rest);
                });
            }
        }
        object.add_rest(run, rest);
        object.close(run);
    }

    // ── tool choices ─────────────────────────────────────────────────────────────────────────────────────────────

    /// Reads `tool_choice`. An allow-list without tools is kept as a form of `none`.
    pub fn read_choice(self, run: &mut Run, value: Value, at: At, request: &mut Request) -> Result<()> {
        let choice = match self.choice_of(run, value, at, &mut request.metadata)? {
            ToolChoice::Allowed { names, .. } if names.is_empty() => {
                request.metadata.add_form(Word::tool_choice, value);
                ToolChoice::None
            }
            choice => choice,
        };
        // a server may have two words for it
        if matches!(choice, ToolChoice::Required)
            && run.route.from.format().spelled(Word::required) != run.store.word(value)
        {
            request.metadata.add_form(Word::tool_choice, value);
        }
        request.choice = Some((choice, at));
        Ok(())
    }

    pub fn choice_of(self, run: &mut Run, value: Value, at: At, metadata: &mut Metadata) -> Result<ToolChoice> {
        if let Some(choice) = read_choice_word(run, value, at)? {
            return Ok(choice);
        }
        let mut reading = run.object(value, at)?;
        let choice = match self.take_type(run, &mut reading) {
            kind @ (Word::function | Word::custom) => Some(ToolChoice::Named(self.name_of(run, &mut reading, kind)?)),
            Word::allowed_tools => {
                self.within(run, &mut reading, Word::allowed_tools, |run, inner| self.allowed(run, inner))?
            }
            _ => None,
        };
        // in the flat layout, a choice with other fields can't be separated from its name, so it is kept whole
        let Some(choice) = choice.filter(|_| self == Layout::Nested || reading.is_empty()) else {
            return Ok(ToolChoice::Native { provider: run.route.source_provider(), value });
        };
        reading.rest_into(run, Word::tool_choice, metadata);
        Ok(choice)
    }

    fn name_of(self, run: &mut Run, reading: &mut Reading, kind: Word) -> Result<Value> {
        self.within(run, reading, kind, |run, inner| inner.require_string(run, Word::name))
    }

    /// An allow-list of functions. None if it has other fields or other tools, which only the provider understands.
    fn allowed(self, run: &mut Run, inner: &mut Reading) -> Result<Option<ToolChoice>> {
        if inner.has(Word::mode) && !inner.holds(run, Word::mode) {
            return Ok(None);
        }
        let required = take_mode(run, inner)?;
        let (tools, tools_at) = inner.require(run, Word::tools)?;
        let mut names = Vec::new();
        for (tool, at) in run.elements(tools, tools_at)? {
            let mut tool = run.object(tool, at)?;
            let kind = self.take_type(run, &mut tool);
            if !matches!(kind, Word::function | Word::custom) {
                return Ok(None);
            }
            names.push(self.name_of(run, &mut tool, kind)?);
            if !tool.is_empty() {
                return Ok(None);
            }
        }
        Ok(Some(ToolChoice::Allowed { names, required }))
    }

    /// The functions in an allow-list that the target does not understand as it is. Everything else is reported. None if there are no functions.
    fn allowed_functions(self, run: &mut Run, inner: &mut Reading) -> Result<Option<ToolChoice>> {
        let required = take_mode(run, inner)?;
        let (tools, tools_at) = inner.require(run, Word::tools)?;
        let (mut names, mut others) = (Vec::new(), Vec::new());
        for (tool, at) in run.elements(tools, tools_at)? {
            let mut tool = run.object(tool, at)?;
            let kind = self.take_type(run, &mut tool);
            if matches!(kind, Word::function | Word::custom) {
                names.push(self.name_of(run, &mut tool, kind)?);
                let rest = tool.rest();
                run.warn_fields(&rest, at);
            } else {
                others.push(at);
            }
        }
        if names.is_empty() {
            return Ok(None);
        }
        for at in others {
            run.warn(WarningCode::NativeDropped, at, "the target has no such tool to choose");
        }
        Ok(Some(ToolChoice::Allowed { names, required }))
    }

    /// The allow-list that another target gets instead of a native one. None if the choice is not an allow-list, or if the target accepts it.
    pub fn reduced(run: &mut Run, value: Value, at: At) -> Result<Option<ToolChoice>> {
        if run.type_of(value) != Word::allowed_tools {
            return Ok(None);
        }
        let is_nested = run.member(value, Word::allowed_tools).is_some();
        let layout = if is_nested { Layout::Nested } else { Layout::Flat };
        if run.route.to.format().layout == Some(layout) {
            return Ok(None);
        }
        let at = run.canonical_or(at, Word::value);
        let mut reading = run.object(value, at)?;
        layout.take_type(run, &mut reading);
        let choice =
            layout.within(run, &mut reading, Word::allowed_tools, |run, inner| layout.allowed_functions(run, inner))?;
        if choice.is_some() {
            let rest = reading.rest();
            run.warn_fields(&rest, at);
        }
        Ok(choice)
    }

    pub fn write_choice_alone(self, run: &mut Run, choice: &ToolChoice) {
        self.put_choice(run, choice, &[], None);
    }

    /// Writes the value of `tool_choice`.
    pub fn put_choice(self, run: &mut Run, choice: &ToolChoice, tools: &[Tool], rest: Option<Value>) {
        let required_word = run.route.spelled(Word::required);
        match choice {
            ToolChoice::Auto => run.store.put_word(Word::auto),
            ToolChoice::None => run.store.put_word(Word::none),
            ToolChoice::Required => run.store.put_word(required_word),
            ToolChoice::Named(name) => {
                let custom = freeform::names(run, tools);
                self.put_name(run, *name, &custom, rest);
            }
            ToolChoice::Allowed { names, required } => {
                let custom = freeform::names(run, tools);
                self.put(run, Word::allowed_tools, rest, |run, inner| {
                    inner.word(run, Word::mode, if *required { required_word } else { Word::auto });
                    inner.each(run, Word::tools, names, |run, name| self.put_name(run, *name, &custom, None));
                });
            }
            ToolChoice::Native { value, .. } => run.store.put(*value),
        }
    }

    fn put_name(self, run: &mut Run, name: Value, custom: &Keys, rest: Option<Value>) {
        let kind = if custom.has(run.store.text(name).as_bytes()) { Word::custom } else { Word::function };
        self.put(run, kind, rest, |run, inner| inner.put(run, Word::name, name));
    }

    /// Writes the choice, and whether calls may run in parallel, for a request that has tools.
    pub fn write_choice(self, run: &mut Run, object: &mut Writing, request: &Request, tools: &[Tool]) {
        let form = request.metadata.form(Word::tool_choice);
        let kind = form.map(|form| run.store.kind(form));
        match (&request.choice, form) {
            (Some((ToolChoice::None, _)), Some(form)) if kind == Some(Kind::Object) => {
                object.put(run, Word::tool_choice, form);
            }
            (Some((ToolChoice::Required, _)), Some(form)) if kind == Some(Kind::String) => {
                object.put(run, Word::tool_choice, form);
            }
            (Some((choice, _)), _) => {
                let rest = request.metadata.own_field(Word::tool_choice).filter(|_| self == Layout::Nested);
                object.key(run, Word::tool_choice);
                self.put_choice(run, choice, tools, rest);
            }
            (None, _) => {}
        }
    }

    // ── response formats ─────────────────────────────────────────────────────────────────────────────────────────

    /// Reads a response format. `types` are the types of JSON without and with a schema.
    pub fn read_format(
        self,
        run: &mut Run,
        reading: &mut Reading,
        types: [Word; 2],
        forms: &mut Metadata,
    ) -> Result<ResponseFormat> {
        let [json, json_schema] = types;
        let (kind, at) = reading.require(run, Word::r#type)?;
        match run.store.word(kind) {
            Word::text => Ok(ResponseFormat::Text),
            word if word == json => Ok(ResponseFormat::Json),
            word if word == json_schema => {
                self.within(run, reading, json_schema, |run, inner| self.schema_of(run, inner, forms))
            }
            _ => {
                let [json, json_schema] = types.map(|kind| kind.text());
                run.wrong_word(kind, at, &format!("\"text\", \"{json}\" or \"{json_schema}\""))
            }
        }
    }

    /// In the nested layout, the schema may be omitted, which a form records.
    fn schema_of(self, run: &mut Run, inner: &mut Reading, forms: &mut Metadata) -> Result<ResponseFormat> {
        let name = inner.string_at(run, Word::name)?;
        let description = inner.string_at(run, Word::description)?;
        let schema = if self == Layout::Flat {
            let (schema, at) = inner.require(run, Word::schema)?;
            (run.plain_object(schema, at)?, at)
        } else if let Some(schema) = inner.take_at(run, Word::schema) {
            schema
        } else {
            forms.add_form(Word::schema, run.store.word_value(Word::omitted));
            (run.store.empty_object(), inner.at())
        };
        let strict = inner.boolean_at(run, Word::strict)?;
        Ok(ResponseFormat::Schema { name, description, schema, strict })
    }

    /// Writes what [`Layout::read_format`] reads; `word` is the key of the rest in the metadata.
    pub fn write_format(
        self,
        run: &mut Run,
        format: &ResponseFormat,
        [json, json_schema]: [Word; 2],
        (metadata, word): (&Metadata, Word),
    ) {
        let mut object = run.begin();
        let kind = match format {
            ResponseFormat::Text => Word::text,
            ResponseFormat::Json => json,
            ResponseFormat::Schema { .. } => json_schema,
        };
        object.word(run, Word::r#type, kind);
        match self {
            Layout::Flat => put_schema(run, &mut object, format, metadata),
            Layout::Nested if kind == json_schema => {
                let rest = metadata.own_field(word);
                object.object_with_rest(run, metadata, kind, |run, inner| {
                    put_schema(run, inner, format, metadata);
                    let rest = rest.and_then(|rest| run.member(rest, kind));
                    inner.add_rest(run, rest);
                });
            }
            Layout::Nested => {}
        }
        object.add_nested(run, metadata, word);
        object.close(run);
    }
}

/// Whether a response format is of a type that the model does not have. It is left where it is: only servers of the same format may know it.
pub fn is_other_format(run: &mut Run, format: Value, types: [Word; 2]) -> bool {
    let kind = run.field(format, Word::r#type).filter(|kind| run.store.kind(*kind) == Kind::String);
    let Some(kind) = kind.map(|kind| run.store.word(kind)) else { return false };
    // Together has the schema beside the type (<https://docs.together.ai/docs/json-mode>)
    let is_beside = kind == Word::json_schema && run.field(format, kind).is_none();
    kind != Word::text && !types.contains(&kind) || is_beside && has_schema_beside(run, format)
}

fn has_schema_beside(run: &mut Run, format: Value) -> bool {
    run.route.from.format().layout == Some(Layout::Nested) && run.field(format, Word::schema).is_some()
}

fn put_schema(run: &mut Run, object: &mut Writing, format: &ResponseFormat, metadata: &Metadata) {
    let ResponseFormat::Schema { name, description, schema: (schema, _), strict } = format else { return };
    object.option(run, Word::name, name.map(|(name, _)| name));
    object.option(run, Word::description, description.map(|(description, _)| description));
    if !(run.is_omitted(metadata, Word::schema) && run.is_void(*schema)) {
        object.put(run, Word::schema, *schema);
    }
    object.flag(run, Word::strict, *strict);
}
