import { SolpackError } from '../../../kernel/events/index.ts';

/** Variables of the convention that describe a node. All are always set; those that are not known are empty. */
export const nodeVariables = [
  'MICROSHIFT_BASEDOMAIN',
  'MICROSHIFT_CLUSTER_CLUSTERCIDR',
  'MICROSHIFT_CLUSTER_SERVICECIDR',
  'MICROSHIFT_CLUSTER_SERVICENODEPORTRANGE',
  'MICROSHIFT_CLUSTER_URL',
  'MICROSHIFT_LOGVLEVEL',
  'MICROSHIFT_NODEIP',
  'MICROSHIFT_NODENAME',
  'MICROSHIFT_SUBJECTALTNAMES',
] as const;

const levels = ['Normal', 'Debug', 'Trace', 'TraceAll', ''];

/**
 * Checks the variables for plugins. Throws `usage-invalid` for a name that is not in `nodeVariables`, an unknown log
 * level, and a value that no environment variable can hold.
 */
export function checkVariables(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (!nodeVariables.some((known) => known === name)) {
      throw invalid(name, 'is not a variable of the plugin convention', `it has ${nodeVariables.join(', ')}`);
    }
    if (value.includes('\0')) throw invalid(name, 'holds a NUL, which a variable cannot have', 'remove it');
  }
  const level = variables['MICROSHIFT_LOGVLEVEL'] ?? '';
  if (levels.includes(level)) return;
  throw invalid('MICROSHIFT_LOGVLEVEL', `is ${JSON.stringify(level)}`, 'use Normal, Debug, Trace or TraceAll');
}

/** What variables say of a component and its Solution. */
interface VariableSource {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly solution: { readonly name: string; readonly version: string };
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Returns the whole environment of a plugin, into which nothing of solpack's own gets. Throws what `checkVariables`
 * throws.
 */
export function environmentOf(component: VariableSource): Record<string, string> {
  checkVariables(component.variables);
  return {
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    LANG: 'C.UTF-8',
    HOME: '/',
    ...Object.fromEntries(nodeVariables.map((name) => [name, component.variables[name] ?? ''])),
    SOLUTION_NAME: component.solution.name,
    SOLUTION_VERSION: component.solution.version,
    SOLUTION_COMPONENT: component.name,
    SOLUTION_NAMESPACE: component.namespace ?? '',
  };
}

function invalid(name: string, message: string, hint: string): SolpackError {
  return new SolpackError('usage-invalid', name, message, { hint });
}
