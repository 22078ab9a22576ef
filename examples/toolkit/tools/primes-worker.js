// Runs in the worker. It tries every divisor, which takes too long for large limits.

export default function countPrimes({ limit }) {
  let count = 0;
  for (let number = 2; number <= limit; number++) if (isPrime(number)) count++;
  return count;
}

function isPrime(number) {
  for (let divisor = 2; divisor < number; divisor++) if (number % divisor === 0) return false;
  return true;
}
