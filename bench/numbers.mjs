// Statistics of measurements.

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/** The growth of a cost with a size: 1 is linear, 2 quadratic. The slope of the line that fits the logarithms of `[size, cost]` best. */
export function slope(points) {
  const logarithms = points.map(([size, cost]) => [Math.log(size), Math.log(cost)]);
  const mean = (index) => logarithms.reduce((sum, point) => sum + point[index], 0) / logarithms.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  let product = 0;
  let square = 0;
  for (const [x, y] of logarithms) {
    product += (x - meanX) * (y - meanY);
    square += (x - meanX) ** 2;
  }
  return product / square;
}
