//! What the derive macro of tsify asks for, without tsify's own: that converts values by way of js-sys, of which nothing may be
//! called and yet a part stays in the wasm.

pub use tsify_macros::Tsify;
use wasm_bindgen::JsCast;

/// A type that has a declaration in TypeScript.
pub trait Tsify {
    type JsType: JsCast;
    const DECL: &'static str;
    const SERIALIZATION_CONFIG: SerializationConfig;
}

/// How tsify would convert values.
pub struct SerializationConfig {
    pub missing_as_null: bool,
    pub hashmap_as_object: bool,
    pub large_number_types_as_bigints: bool,
}
