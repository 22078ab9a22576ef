// A calculator with a parser of its own: nothing is evaluated as code.

import { ToolError, tool } from "toolwire/toolkit";
import { z } from "zod";

export const calculator = tool({
  name: "calculator",
  description: "Calculates an arithmetic expression with + - * / and parentheses.",
  category: "math",
  parameters: z.object({
    expression: z.string().describe("The expression, for example (1 + 2) * 3"),
    digits: z.int().min(0).max(10).default(2).describe("Digits after the decimal point"),
  }),
  execute({ expression, digits }) {
    const value = calculate(expression);
    return { expression, value: Number(value.toFixed(digits)) };
  },
});

const operators = {
  "+": [1, (a, b) => a + b],
  "-": [1, (a, b) => a - b],
  "*": [2, (a, b) => a * b],
  "/": [2, divide],
};

function divide(a, b) {
  if (b === 0) throw new ToolError("Division by zero.", { type: "math_error", retryable: false });
  return a / b;
}

/** Precedence climbing: an operator takes as its right side everything that binds more strongly. */
function calculate(expression) {
  const tokens = expression.match(/\d+(?:\.\d+)?|[-+*/()]|\S/g) ?? [];
  const value = sum(tokens, 1);
  if (tokens.length > 0) throw unexpected(tokens[0]);
  return value;
}

function sum(tokens, weakest) {
  let left = operand(tokens);
  for (;;) {
    const [precedence, apply] = operators[tokens[0]] ?? [0];
    if (precedence < weakest) return left;
    tokens.shift();
    left = apply(left, sum(tokens, precedence + 1));
  }
}

function operand(tokens) {
  const token = tokens.shift();
  if (token === "-") return -operand(tokens);
  if (token === "(") {
    const value = sum(tokens, 1);
    const closing = tokens.shift();
    if (closing !== ")") throw unexpected(closing);
    return value;
  }
  if (!/^\d/.test(token ?? "")) throw unexpected(token);
  return Number(token);
}

function unexpected(token) {
  const what = token === undefined ? "The expression ends too early." : `Unexpected ${token} in the expression.`;
  return new ToolError(what, { type: "invalid_arguments", retryable: false });
}
