// Runs modules one after the other, and sends what each one prints.

process.on("message", async (path) => {
  const printed = [];
  const { write } = process.stdout;
  process.stdout.write = (chunk) => printed.push(Buffer.from(chunk)) > 0;
  let error;
  try {
    await import(path);
  } catch (thrown) {
    error = String(thrown?.stack ?? thrown);
  }
  process.stdout.write = write;
  process.send({ printed: Buffer.concat(printed).toString("base64"), error });
});
