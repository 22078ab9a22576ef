/** The functions that settle a promise. */
export interface Ends<Value> {
  resolve(value: Value): void;
  reject(error: unknown): void;
}

export declare function eventStream<Event, Value>(
  generate: (ends: Ends<Value>) => AsyncGenerator<Event, Value, undefined>,
  leftEarly: () => Error,
): AsyncGenerator<Event, Value, undefined> & { readonly response: Promise<Value> };
