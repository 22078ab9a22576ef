// The files that the agent works on: twelve modules of a shop.

const modules = {
  cart: ["addItem", "removeItem", "total"],
  checkout: ["start", "confirm"],
  coupons: ["apply", "isExpired", "list"],
  customers: ["find", "create", "rename", "remove"],
  emails: ["render", "send"],
  invoices: ["write", "cancel"],
  orders: ["place", "cancel", "track"],
  payments: ["charge", "refund"],
  prices: ["of", "withTax"],
  search: ["index", "query", "suggest"],
  shipping: ["quote", "label"],
  stock: ["reserve", "release", "count"],
};

function sourceOf(name, functions) {
  const lines = functions.map((each) => `export function ${each}(input) { return call("${name}.${each}", input); }`);
  if (functions.includes("cancel")) lines.push("// TODO: cancelling twice must have no effect");
  return `${lines.join("\n")}\n`;
}

/** Paths and contents. */
export const project = () =>
  new Map(Object.entries(modules).map(([name, functions]) => [`src/${name}.js`, sourceOf(name, functions)]));
