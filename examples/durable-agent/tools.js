// The tools of a travel agent. They call services over HTTP, as real ones would.

/** The service recognizes a repeated request by its key, so an idempotent tool can run again after a crash. */
async function requested(url, body, { idempotencyKey, signal }) {
  const headers = { "content-type": "application/json", "idempotency-key": idempotencyKey };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body), signal });
  if (!response.ok) throw new Error(`the service responded with status ${response.status}`);
  return response.json();
}

const string = { type: "string" };
const object = (properties) => ({ type: "object", properties, required: Object.keys(properties) });

export const toolsOf = ({ SERVICE_URL }) => [
  {
    name: "find_flights",
    description: "Lists the flights to a city.",
    parameters: object({ city: string }),
    execute: (args, call) => requested(`${SERVICE_URL}/flights`, args, call),
  },
  {
    name: "reserve_seat",
    description: "Reserves a seat in a flight.",
    parameters: object({ flight: string }),
    // the service does not recognize repeated reservations
    idempotent: false,
    execute: (args, call) => requested(`${SERVICE_URL}/seats`, args, call),
  },
  {
    name: "pay",
    description: "Pays for a reserved seat.",
    parameters: object({ seat: string, amount: { type: "number" } }),
    needsApproval: true,
    execute: (args, call) => requested(`${SERVICE_URL}/payments`, args, call),
  },
];
