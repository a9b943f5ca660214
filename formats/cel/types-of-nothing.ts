import type { ASTNode } from '@marcbachmann/cel-js';

interface Type {
  readonly kind: string;
}

/** What an expression has as the types of its parts. */
interface Types {
  getType(name: string): Type;
}

type Check = (types: Types, ...of: readonly unknown[]) => Type;

/** A part of an expression, which knows how the checker finds its type. */
interface Checked {
  check: Check;
}

/**
 * Lets what an empty list or map holds be of any type, as API servers do (cel-spec, "Gradual Type Checking"). The
 * parser knows its type by the name of a parameter only, which fits nothing.
 */
export function typeNothing(node: ASTNode): void {
  const checked = node as unknown as Checked;
  const check = checked.check.bind(node);
  checked.check = (types, ...of) => {
    const type = check(types, ...of);
    return type.kind === 'param' ? types.getType('dyn') : type;
  };
}
