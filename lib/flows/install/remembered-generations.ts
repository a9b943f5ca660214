/** How many generations of a configuration a cluster remembers, unless somebody says otherwise. */
export const GENERATIONS = 10;
