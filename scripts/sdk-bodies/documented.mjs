// Changes without a warning that docs/round-trips.md lists under "Empty values", as what `differences` prints.

export const documented = [
  // strict tools have closed schemas with all that is required, and a tool without parameters gets a schema
  [/^\/tools\/0\/(function\/parameters|input_schema\/additionalProperties): expected nothing/, "empty schemas"],
  // of a server that Google's format lacks, without content
  [/^\/generationConfig: expected \{"(routingConfig|modelSelectionConfig)":\{\}\}, got nothing/, "empty fields"],
  [/^\/messages\/0\/tool_calls\/0\/function\/name: expected (nothing|null), got ""/, "calls without a name"],
  [/^\/stream_options: expected \{\}, got nothing/, "empty fields"],
];
