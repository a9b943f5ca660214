/**
 * The group of flags that every command has, and of those that say what it prints or writes. It comes last on a page.
 */
export const OUTPUT = 'Output:';

/** The group of flags about registries. */
export const REGISTRY = 'Registry:';

/** The group of the commands that most people need. */
export const EVERY_DAY = 'Every day:';
