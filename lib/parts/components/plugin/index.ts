/** Plugins as child processes: their calls, output, versions and variables. */

export {
  /** Runs a plugin in its folder with an argument, and what belongs to it, and returns what it printed. */
  callPlugin,
} from './call.ts';
export {
  /** Parses what a plugin printed. */
  objectsPrinted,
} from './output.ts';
export {
  /** The name of the executable in a plugin's folder. */
  PROGRAM,
} from './program.ts';
export {
  /** Asks a plugin that follows the second version of the convention how custom resources have to change. */
  migrationsOf,
} from './upgrade.ts';
export {
  /** Checks the variables for plugins. */
  checkVariables,
  /** Variables of the convention that describe a node. */
  nodeVariables,
} from './variables.ts';
export {
  /** Asks a plugin for the version of the convention that it follows, once for each run (one `flow`). */
  requireVersion,
} from './version.ts';
