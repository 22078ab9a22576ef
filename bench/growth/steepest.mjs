/** The maximum slope: 1 is linear. Sorting, and memory beyond the caches, cost slightly more. */
export const steepest = 1.2;
