/** How steep a cost may be: 1 is linear. Sorting, and memory that no cache holds, take a little more. */
export const steepest = 1.2;
