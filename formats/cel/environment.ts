import { Environment } from '@marcbachmann/cel-js';
import { celFunctions } from './functions.ts';
import { CelQuantity } from './values.ts';

/** How large an expression may be. */
export const celLimits = { length: 2048, nodes: 500, depth: 50, elements: 200, arguments: 8 } as const;

/** Returns what parses expressions and checks their types: `self` is any object, and Kubernetes' functions are known. */
export function makeEnvironment(): Environment {
  const environment = new Environment({
    enableOptionalTypes: true,
    limits: {
      maxAstNodes: celLimits.nodes,
      maxDepth: celLimits.depth,
      maxListElements: celLimits.elements,
      maxMapEntries: celLimits.elements,
      maxCallArguments: celLimits.arguments,
    },
  });
  environment.registerVariable('self', 'dyn');
  environment.registerType('kubernetes.Quantity', CelQuantity);
  for (const { signatures = [] } of Object.values(celFunctions)) {
    for (const signature of signatures) {
      // Types alone are checked; another evaluation is behind them, which has a budget.
      if (signature !== '') environment.registerFunction(signature, () => null);
    }
  }
  return environment;
}
