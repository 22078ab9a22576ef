export default () => {
  const kept = [];
  for (;;) kept.push(Array.from({ length: 10_000 }, (_, index) => ({ index })));
};
