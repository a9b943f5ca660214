import type { ASTNode, Environment } from '@marcbachmann/cel-js';

/** What macros ask of the checker of types, besides what its types show. */
interface Checker {
  check(node: ASTNode, names: Names): { readonly name: string };
  getType(name: string): unknown;
}
interface Names {
  forkWithVariable(name: string, type: unknown): Names;
}
interface Macro {
  readonly args: readonly ASTNode[];
}

/** Macros with two variables, with what their last part has to give; several parts may stand behind the variables. */
const macros: Readonly<
  Record<string, { readonly parts: readonly number[]; readonly last: string; readonly gives: string }>
> = {
  all: { parts: [1], last: 'bool', gives: 'bool' },
  exists: { parts: [1], last: 'bool', gives: 'bool' },
  existsOne: { parts: [1], last: 'bool', gives: 'bool' },
  transformList: { parts: [1, 2], last: 'dyn', gives: 'list<dyn>' },
  transformMap: { parts: [1, 2], last: 'dyn', gives: 'map<dyn, dyn>' },
};

/**
 * Lets an environment check the macros that have two variables: a place and an element, or a key and a value (cel-go,
 * `ext`).
 */
export function registerTwoVariables(environment: Environment): void {
  for (const [name, { parts, last, gives }] of Object.entries(macros)) {
    const expand = ({ args }: Macro): object => ({
      args,
      evaluate: () => null,
      typeCheck: (checker: Checker, _: unknown, names: Names) => {
        requireTypes(name, args, last, checker, names);
        return checker.getType(gives);
      },
    });
    for (const count of parts) {
      const given = new Array<string>(2 + count).fill('ast').join(', ');
      environment.registerFunction(`list.${name}(${given}): ${gives}`, expand);
    }
  }
}

function requireTypes(name: string, args: readonly ASTNode[], last: string, checker: Checker, names: Names): void {
  const [first, second, ...parts] = args;
  const variables = [first, second].map((node) => (node?.op === 'id' ? node.args : undefined));
  if (variables.includes(undefined) || variables[0] === variables[1]) {
    throw new Error(`${name} has to begin with two names of variables`);
  }
  const inner = variables.reduce((known, one) => known.forkWithVariable(one!, checker.getType('dyn')), names);
  for (const [at, part] of parts.entries()) {
    const wanted = at === parts.length - 1 ? last : 'bool';
    const { name: found } = checker.check(part, inner);
    if (wanted !== 'dyn' && found !== 'dyn' && found !== wanted) {
      throw new Error(`${name} has a part that gives ${found}, and not a ${wanted}`);
    }
  }
}
