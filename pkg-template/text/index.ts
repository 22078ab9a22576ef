// What every entry point of `toolwire/text` exports: all of `toolwire`, and tools for models without native tool calling.

export * from "#conversions";
