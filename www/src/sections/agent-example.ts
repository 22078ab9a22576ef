// The script that the section of agents begins with: a repaired call, a call that is refused, one that needs approval.

export const exampleScript = `{
  "messages": [{ "role": "user", "content": "Book me a trip to where it is sunny: Paris or Lyon." }],
  "tools": [
    {
      "name": "get_weather",
      "description": "Returns the weather of a city.",
      "parameters": {
        "type": "object",
        "properties": { "city": { "type": "string" }, "days": { "type": "integer", "maximum": 7 } },
        "required": ["city"]
      },
      "returns": { "weather": "sunny" }
    },
    {
      "name": "book_trip",
      "description": "Books a trip, which costs money.",
      "parameters": { "type": "object", "properties": { "to": { "type": "string" } }, "required": ["to"] },
      "needsApproval": true,
      "returns": { "booking": 4711 }
    }
  ],
  "model": [
    { "text": "I look at the weather.", "calls": [{ "name": "get_weather", "arguments": "{'city': 'Paris', 'days': '9'}" }] },
    { "calls": [{ "name": "book_trip", "arguments": {} }] },
    { "text": "I forgot where to.", "calls": [{ "name": "book_trip", "arguments": { "to": "Paris" } }] },
    { "text": "Your trip to Paris is booked." }
  ]
}`;
