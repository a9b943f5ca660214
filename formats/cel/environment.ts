import { Environment } from '@marcbachmann/cel-js';
import { celFunctions } from './functions.ts';
import { registerTwoVariables } from './two-variables.ts';
import { CelCidr, CelIp, CelQuantity } from './values.ts';

/** How large an expression may be. */
export const celLimits = { length: 2048, nodes: 500, depth: 50, elements: 200, arguments: 8 } as const;

/** What the functions `sets.…` and `ip.…` have before the dot. */
class Sets {}
class Ip {}

/**
 * Returns what parses expressions and checks their types: `self` is any object, and Kubernetes' functions are known.
 */
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
  environment.registerType('net.IP', CelIp);
  environment.registerType('net.CIDR', CelCidr);
  environment.registerType('solpack.sets', Sets);
  environment.registerType('solpack.ip', Ip);
  environment.registerConstant('sets', 'solpack.sets', new Sets());
  environment.registerConstant('ip', 'solpack.ip', new Ip());
  for (const type of ['net.IP', 'net.CIDR']) {
    environment.registerOperator(`${type} == ${type}`, () => false);
    environment.registerFunction(`string(${type}): string`, () => null);
  }
  for (const operator of ['<', '<=', '>', '>=']) environment.registerOperator(`bytes ${operator} bytes`, () => false);
  environment.registerFunction('int(uint): int', () => null);
  registerTwoVariables(environment);
  for (const { signatures = [] } of Object.values(celFunctions)) {
    for (const signature of signatures) {
      // Types alone are checked; another evaluation is behind them, which has a budget.
      if (signature !== '') environment.registerFunction(signature, () => null);
    }
  }
  return environment;
}
