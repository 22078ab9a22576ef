// Sums of what was measured.

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/** How a cost grows with a size: 1 is linear, 2 quadratic. The line that fits best through the logarithms of `[size, cost]`. */
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
